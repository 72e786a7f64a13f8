import AppExtensions
import Foundation
import HostServices
import Synchronization
import Testing

/// What a file provider does with a document on the disk.
@Suite(.timeLimit(.minutes(1)))
struct `A document that is provided` {
  /// Runs a closure as the provider that fetches a document, and gives what is in the folder of the document then.
  private func provide(
    _ old: String? = nil, _ start: @escaping @Sendable (ProvidedItem) async throws -> Void
  ) async throws -> (text: String?, names: [String]) {
    let hasRun = Mutex(false)
    var script = DocumentProbe.Script()
    script.start = { item in
      try await start(item)
      hasRun.withLock { $0 = true }
    }
    let stage = try DocumentStage(script)
    if let old { try stage.put(old, at: "x/a.txt") }
    return try await stage.withProvider { documents, _ in
      let bytes = try await documents.read("x/a.txt")
      #expect(hasRun.withLock { $0 })
      let names = try FileManager.default.contentsOfDirectory(atPath: stage.storage.appending(path: "x").path)
      return (String(decoding: bytes, as: UTF8.self), names.sorted())
    }
  }

  private static let parts: [(offset: Int64, count: Int, text: String)] = [
    (0, 5, "hello"), (0, 9, "hello"), (0, .max, "hello"), (1, 2, "el"), (4, 1, "o"), (4, 9, "o"), (5, 1, ""),
    (9, 1, ""), (.max, 1, ""), (0, 0, ""), (0, -1, ""),
  ]

  @Test func `is read in parts, to its end and no further`() async throws {
    let found = try await provide { item in
      try await item.write { writer in
        #expect(writer.count == 0)
        for (piece, count) in [("hel", 3), ("", 3), ("lo", 5)] as [(String, Int64)] {
          try writer.append(Array(piece.utf8))
          #expect(writer.count == count)
        }
      }
      for part in Self.parts {
        let bytes = try item.read(from: part.offset, count: part.count)
        #expect(bytes == Array(part.text.utf8), "\(part)")
      }
      #expect(try item.read(count: 2) == Array("he".utf8))
      for offset in [-1, .min] as [Int64] {
        let before = await refusal { _ = try item.read(from: offset, count: 1) }
        #expect(before?.fileProviderCode == .noSuchItem, "\(offset)")
      }
    }
    #expect(found.text == "hello" && found.names == [".a.txt.placeholder", "a.txt"])
  }

  @Test func `is as it was while it is written, and when that fails`() async throws {
    let found = try await provide("old") { item in
      let error = await refusal {
        try await item.write { writer in
          try writer.append(Array("new".utf8))
          #expect(try item.read(count: 9) == Array("old".utf8))
          throw ExtensionError(.contentFailed, "No.")
        }
      }
      #expect(error?.code == .contentFailed)
    }
    #expect(found.text == "old" && found.names == [".a.txt.placeholder", "a.txt"])
  }

  @Test func `is replaced as a whole`() async throws {
    let found = try await provide("a longer text") { item in
      try await item.write { try $0.append(Array("short".utf8)) }
    }
    #expect(found.text == "short" && found.names == [".a.txt.placeholder", "a.txt"])
  }

  @Test func `is deleted, and cannot be read then`() async throws {
    let found = try await provide("old") { item in
      try item.deleteContent()
      #expect(!FileManager.default.fileExists(atPath: item.filePath))
      // What is gone already is no error.
      try item.deleteContent()
      let gone = await refusal { _ = try item.read(count: 1) }
      #expect(gone?.fileProviderCode == .noSuchItem && gone?.message.contains("Cannot read “a.txt”") == true)
      try FileManager.default.createDirectory(atPath: item.filePath, withIntermediateDirectories: false)
      let folder = await refusal { try item.deleteContent() }
      #expect(folder?.fileProviderCode == .noSuchItem && folder?.message.contains("Cannot delete “a.txt”") == true)
      try FileManager.default.removeItem(atPath: item.filePath)
      try FileManager.default.createSymbolicLink(atPath: item.filePath, withDestinationPath: "/etc/hostname")
      let link = await refusal { _ = try item.read(count: 1) }
      #expect(link?.fileProviderCode == .noSuchItem)
      try item.deleteContent()
      try await item.write { try $0.append(Array("new".utf8)) }
    }
    #expect(found.text == "new")
  }
}
