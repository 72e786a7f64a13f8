import AppExtensions
import ExtensionHosting
import ExtensionTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A file in the scratch directory` {
  /// Runs the body with a process and the absolute path of its scratch directory.
  private func withScratch(_ body: @Sendable (ExtensionProcess, String) async throws -> Void) async throws {
    let name: ActionProbe.Perform = { _, context in [ExtensionItem(title: context.host?.directories.scratch)] }
    try await ActionProbe.$performing.withValue(name) {
      let requests = RequestService()
      try await TestHost(services: [requests]).withExtension(ActionProbe.self, identity: .testing(point: .action)) {
        guard case .completed(let items) = try await $0.perform([], requests: requests) else { return }
        try await body($0, #require(items.first?.attributedTitle))
      }
    }
  }

  @Test func `comes back as the extension wrote it, from a folder that the host made`() async throws {
    try await withScratch { process, scratch in
      let folder = try process.grantDirectory("output-1")
      try Data("caves".utf8).write(to: URL(filePath: "\(scratch)/\(folder)/note.txt"))
      #expect(try process.take("output-1/note.txt", limit: 5) == Array("caves".utf8))
      #expect(throws: ExtensionError.self) { _ = try process.grantDirectory("output-1") }
    }
  }

  @Test func `that the host grants is found by its relative path`() async throws {
    try await withScratch { process, _ in
      let path = try process.grant([1, 2, 3], name: "../odd name")
      #expect(!path.contains("/"))
      #expect(try process.take(path, limit: 3) == [1, 2, 3])
    }
  }

  @Test func `is gone with its extension, also after an error`() async throws {
    struct Failed: Error {}
    let folder = Kept<String>()
    await #expect(throws: Failed.self) {
      try await withScratch { process, scratch in
        _ = try process.grant([1], name: "one")
        folder.keep(scratch)
        throw Failed()
      }
    }
    let path = try #require(folder.value)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `is refused when it is larger than the limit`() async throws {
    try await withScratch { process, _ in
      let path = try process.grant([1, 2, 3], name: "three")
      let error = #expect(throws: ExtensionError.self) { _ = try process.take(path, limit: 2) }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test(arguments: [
    "", "/etc/passwd", "../state", "a/../../state", "link", "linked/passwd", "pipe", "folder", "absent", "a\0b",
  ])
  func `is refused by a path that is not a plain way to a regular file`(path: String) async throws {
    try await withScratch { process, scratch in
      try FileManager.default.createSymbolicLink(atPath: "\(scratch)/link", withDestinationPath: "/etc/passwd")
      try FileManager.default.createSymbolicLink(atPath: "\(scratch)/linked", withDestinationPath: "/etc")
      mkfifo("\(scratch)/pipe", 0o600)
      mkdir("\(scratch)/folder", 0o700)
      let error = #expect(throws: ExtensionError.self) { _ = try process.take(path, limit: 1 << 20) }
      #expect(error?.code == .invalidParams)
    }
  }
}
