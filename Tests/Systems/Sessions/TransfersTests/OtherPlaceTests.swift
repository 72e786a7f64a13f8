import Foundation
import Testing

@testable import Transfers

/// A container on another file system than the journal.
enum SharedMemory {
  private static let folder = "/dev/shm"
  static let isOther = device(of: folder) != nil && device(of: folder) != device(of: "/tmp")

  static func makeFolder() throws -> String {
    let path = "\(folder)/annex-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  private static func device(of path: String) -> dev_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_dev : nil
  }
}

@Suite(.timeLimit(.minutes(1)), .enabled("/dev/shm is not a file system of its own", { SharedMemory.isOther }))
struct `A download into a container on another file system` {
  private let place: RunnerPlace
  private let container: String

  init() throws {
    place = try RunnerPlace()
    container = try SharedMemory.makeFolder()
  }

  private func download(_ body: [UInt8]) async throws {
    let server = try FaultyServer { request, _ in .file(body, tag: "\"1\"", for: request) }
    defer { server.stop() }
    var session = place.journals.session()
    session.container = container
    _ = try await place.journal.open(session)
    try await place.download(server.url, to: "deeper/a")
    try await place.runAll()
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(container)/deeper").sorted()) ?? []
  }

  @Test func `appears whole, and nothing else is left on either`() async throws {
    defer { try? FileManager.default.removeItem(atPath: container) }
    let body = pattern(300_000)
    try await download(body)
    #expect(FileManager.default.contents(atPath: "\(container)/deeper/a").map(Array.init) == body)
    #expect(names == ["a"])
    #expect(place.journals.files.isEmpty)
    #expect(try await place.failure() == nil)
  }

  @Test func `leaves nothing of it where a folder has its name`() async throws {
    defer { try? FileManager.default.removeItem(atPath: container) }
    try FileManager.default.createDirectory(atPath: "\(container)/deeper/a", withIntermediateDirectories: true)
    try await download(pattern(5000))
    #expect(try await place.failure()?.code == TransferFailure.Code.cannotMoveFile.rawValue)
    #expect(names == ["a"] && place.journals.files.isEmpty)
  }

  @Test func `takes the place of what an attempt before left half copied`() async throws {
    defer { try? FileManager.default.removeItem(atPath: container) }
    try FileManager.default.createDirectory(atPath: "\(container)/deeper", withIntermediateDirectories: true)
    try Data("half".utf8).write(to: URL(filePath: "\(container)/deeper/.transfer-1"))
    try await download(pattern(5000))
    #expect(names == ["a"])
  }
}
