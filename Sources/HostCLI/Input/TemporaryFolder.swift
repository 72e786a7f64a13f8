import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import Sandbox

/// A folder for one run of a command, outside of the host's state: only the host may enter that.
///
/// It is called `annex-<what>-<pid>-<start time>-<letters>` and holds a file that is locked until ``remove()``. A run
/// that was killed leaves its folder, and the next one removes what belongs to this user, to no process that runs, and to
/// nobody who has the lock: a process of another container may have the same number.
final class TemporaryFolder: Sendable {
  /// Of the folder; whoever runs the command may enter it, and nobody else.
  let path: String
  private let lock: FileLock

  private static let lockName = ".lock"

  /// Makes a folder that only its owner may enter, and removes those that earlier runs could not remove.
  ///
  /// - Parameters:
  ///   - name: what its name begins with, behind that of the project.
  ///   - environment: `TMPDIR`, when absolute, says where; else it is `/tmp`.
  init(_ name: String, _ environment: [String: String]) throws(ExtensionError) {
    let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    Self.sweep(parent)
    do throws(FileError) {
      let made = try Folder.makeTemporary(beginning: "\(parent)/annex-\(name)-\(ProcessIdentity.current.text)-")
      guard let lock = try FileLock.attempt("\(made)/\(Self.lockName)") else {
        throw FileError(.locked, "\(made) is locked by another program.")
      }
      self.lock = lock
      path = made
    } catch {
      throw ExtensionError(error, recovery: "Set TMPDIR to a folder that you can write.")
    }
  }

  /// Removes the folder and all below it. Once, at the end.
  func remove() { try? StateDirectory.remove(path) }

  private static func sweep(_ parent: String) {
    for name in Folder.names(in: parent) {
      guard let owner = owner(of: name), !owner.isAlive else { continue }
      let path = "\(parent)/\(name)"
      guard let status = FileStatus(path, followsLink: false), status.kind == .directory, status.owner == geteuid(),
        let lock = try? FileLock.attempt("\(path)/\(lockName)")
      else { continue }
      try? StateDirectory.remove(path)
      lock.unlock()
    }
  }

  /// The process that a folder's name tells of; `nil` for what is called otherwise.
  static func owner(of name: String) -> ProcessIdentity? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "annex", parts[4].utf8.count == 6 else { return nil }
    return ProcessIdentity("\(parts[2])-\(parts[3])")
  }
}
