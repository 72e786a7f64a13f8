import CLinux
import Files
import Foundation
import TestSupport
import Testing

@testable import Transfers

/// Two users that are nobody else's, as a root host gives them to apps.
@Suite(.timeLimit(.minutes(1)), .enabled("only root can take on other users’ rights", { geteuid() == 0 }))
struct `A file that a root host opens for an app` {
  private let directory: TemporaryDirectory
  private let own = FileUser(user: 1_879_050_001, group: 1_879_050_001)
  private let other = FileUser(user: 1_879_050_002, group: 1_879_050_002)
  private var container: String { directory.file("container") }

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: true)
    _ = try directory.write("treasure", to: "container/secret")
    for path in [container, "\(container)/secret"] { chown(path, own.user, own.group) }
    chmod(container, 0o700)
  }

  /// Moves a received file into a folder, which is the container unless another one is named.
  private func move(
    _ text: String = "new", to destination: String, in folder: String? = nil, as user: FileUser?
  ) throws -> TransferFailure? {
    let path = try directory.write(text, to: "received")
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    return FinishedFile(descriptor: descriptor, path: path, task: 1, user: user)
      .move(to: destination, in: folder ?? container)
  }

  @Test func `is read with the rights of that app's user`() {
    for (user, isOpened) in [(own, true), (other, false)] {
      let descriptor = clinux_open_beneath(container, "secret", FileUser?.some(user).rights)
      let reason = errno
      #expect(descriptor >= 0 ? isOpened : !isOpened && reason == EACCES)
      if descriptor >= 0 { close(descriptor) }
      // This thread is root again.
      #expect(access(container, W_OK) == 0)
    }
  }

  @Test func `is not read with what this process may do by its groups`() throws {
    chown("\(container)/secret", 0, 0)
    chmod("\(container)/secret", 0o640)
    var before = [gid_t](repeating: 0, count: 64)
    let count = getgroups(64, &before)
    try #require(count >= 0 && setgroups(1, [0]) == 0)
    defer { setgroups(Int(count), before) }
    #expect(clinux_open_beneath(container, "secret", FileUser?.some(own).rights) < 0 && errno == EACCES)
    // This thread has its groups again.
    var after = [gid_t](repeating: 7, count: 64)
    #expect(getgroups(64, &after) == 1 && after[0] == 0)
  }

  @Test(arguments: ["secret", "new", "folder/new"])
  func `is put where that app's user may write, and nowhere else`(destination: String) throws {
    let refused = try #require(try move(to: destination, as: other))
    #expect(refused.code == TransferFailure.Code.cannotCreateFile.rawValue)
    #expect(FileManager.default.contents(atPath: "\(container)/secret") == Data("treasure".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: container) == ["secret"])
    #expect(try move(to: destination, as: own) == nil)
    #expect(FileManager.default.contents(atPath: "\(container)/\(destination)") == Data("new".utf8))
    #expect(FileStatus("\(container)/\(destination)")?.owner == own.user)
    if destination.contains("/") { #expect(FileStatus("\(container)/folder")?.owner == own.user) }
  }

  @Test func `is not read-only to whom the folder is`() throws {
    chmod(container, 0o755)
    #expect(try move(to: "new", as: other)?.code == TransferFailure.Code.cannotCreateFile.rawValue)
    chmod(container, 0o777)
    #expect(try move(to: "new", as: other) == nil)
  }

  @Test(.enabled("/dev/shm is not a file system of its own", { SharedMemory.isOther }))
  func `belongs to that user where it is copied to another file system, too`() throws {
    let other = try SharedMemory.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: other) }
    chown(other, own.user, own.group)
    for text in ["first", "and another"] {
      #expect(try move(text, to: "folder/new", in: other, as: own) == nil)
      var status = stat()
      #expect(stat("\(other)/folder/new", &status) == 0)
      #expect(status.st_uid == own.user && status.st_gid == own.group)
      #expect(FileManager.default.contents(atPath: "\(other)/folder/new") == Data(text.utf8))
    }
  }
}
