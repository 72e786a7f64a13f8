import AppExtensions
import ExtensionProtocol
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `A document storage` {
  private let folder: TemporaryDirectory
  private let storage: DocumentStorage
  private var place: String { folder.file("File Provider Storage") }

  init() throws {
    folder = try TemporaryDirectory()
    storage = DocumentStorage(container: folder.path, reference: FileProvider.Storage(group: "g"))
    try storage.make()
  }

  private func names(_ path: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(place)/\(path)")) ?? []).sorted()
  }

  @Test func `keeps what is written, whole and under its name alone`() throws {
    try storage.make()
    #expect(names() == [])
    #expect(try storage.presence(of: "trips/a.txt") == .nothing)
    try storage.write([1, 2, 3], to: "trips/a.txt")
    #expect(try storage.presence(of: "trips/a.txt") == .content(3) && storage.read("trips/a.txt") == [1, 2, 3])
    try storage.write([], to: "trips/a.txt")
    #expect(try storage.presence(of: "trips/a.txt") == .content(0) && storage.read("trips/a.txt") == [])
    try storage.write([7], to: "ä.txt")
    #expect(names() == ["trips", "ä.txt"] && names("trips") == ["a.txt"])
  }

  @Test func `tells a placeholder from the document, and both from what is none`() throws {
    #expect(try storage.writePlaceholder(of: "x/a", FileProvider.Metadata(name: "A", size: 5)) == "x/.a.placeholder")
    #expect(try storage.presence(of: "x/a") == .placeholder && storage.hasPlaceholder(of: "x/a"))
    #expect(try storage.metadata(of: "x/a") == FileProvider.Metadata(name: "A", size: 5))
    try storage.write([1], to: "x/a")
    #expect(try storage.presence(of: "x/a") == .content(1) && storage.hasPlaceholder(of: "x/a"))
    #expect(try storage.presence(of: "x") == .foreign && !storage.hasPlaceholder(of: "x"))
    #expect(try storage.presence(of: "x/a/b") == .nothing, "nothing is below a file")
    try FileManager.default.createSymbolicLink(atPath: "\(place)/link", withDestinationPath: "x/a")
    #expect(try storage.presence(of: "link") == .foreign)
    // A folder with a placeholder's name is none.
    try FileManager.default.createDirectory(atPath: "\(place)/.b.placeholder", withIntermediateDirectories: true)
    #expect(try storage.presence(of: "b") == .nothing && !storage.hasPlaceholder(of: "b"))
  }

  @Test func `has placeholders of names of 1,024 bytes at most`() throws {
    for (name, isTaken) in [
      (String(repeating: "é", count: 512), true), (String(repeating: "é", count: 512) + "a", false), ("", true),
    ] {
      if isTaken {
        _ = try storage.writePlaceholder(of: "a", FileProvider.Metadata(name: name))
        #expect(try storage.metadata(of: "a") == FileProvider.Metadata(name: name))
      } else {
        #expect(throws: ExtensionError(.invalidParams, "")) {
          try storage.writePlaceholder(of: "b", FileProvider.Metadata(name: name))
        }
        #expect(names() == [".a.placeholder"])
      }
    }
  }

  @Test func `says of a damaged placeholder that it is damaged`() throws {
    try Data("{".utf8).write(to: URL(filePath: "\(place)/.a.placeholder"))
    #expect(storage.hasPlaceholder(of: "a"))
    let error = #expect(throws: ExtensionError.self) { try storage.metadata(of: "a") }
    #expect(error?.documentRule == .placeholderWritten && error?.message.hasPrefix("The placeholder of “a”") == true)
  }

  @Test(arguments: ["", "..", "a/../b", "/a", ".a.placeholder", "a//b"])
  func `takes no path that is none of a document`(path: String) {
    let metadata = FileProvider.Metadata(name: "a")
    let calls: [() throws -> Void] = [
      { _ = try storage.presence(of: path) }, { _ = try storage.metadata(of: path) }, { _ = try storage.read(path) },
      { try storage.write([1], to: path) }, { _ = try storage.writePlaceholder(of: path, metadata) },
    ]
    for call in calls {
      let error = #expect(throws: ExtensionError.self) { try call() }
      #expect(error?.documentRule == .relativePath)
    }
    #expect(names() == [])
  }

  @Test func `writes nothing through a link`() throws {
    let other = folder.file("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: "\(place)/trips", withDestinationPath: other)
    let error = #expect(throws: ExtensionError.self) { try storage.write([1], to: "trips/a.txt") }
    #expect(error?.documentRule == .readableFile)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other) == [])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The tokens of a coordination` {
  private typealias Codes = Mutex<[ExtensionError.Code?]>

  /// Runs calls of a provider while it provides a document.
  private func providing(_ calls: @escaping @Sendable (ProvidedItem) async throws -> Void) async throws {
    var script = DocumentProbe.Script()
    script.start = { item in
      try await calls(item)
      try await item.write { try $0.append([1]) }
    }
    try await DocumentStage(script).withProvider { documents, _ in
      let bytes = try await documents.read("a.txt")
      #expect(bytes == [1])
    }
  }

  @Test func `are given back in the form in which they were given`() async throws {
    let codes = Codes([])
    let tokens = ["", ".", "1", "1.", ".1", "1.2.3", "x.1", "1.x", "01.1", "1.01", "+1.1", "-1.1", "1.1 "]
    try await providing { item in
      for token in tokens {
        let error = await refusal { _ = try await item.context.call(FileProvider.Uncoordinate(token: token)) }
        codes.withLock { $0.append(error?.code) }
      }
    }
    #expect(codes.withLock { $0 } == Array(repeating: .invalidParams, count: tokens.count))
  }

  @Test func `free the document, each of its own`() async throws {
    let tokens = Mutex<[String]>([])
    try await providing { item in
      let call = FileProvider.Coordinate(path: "b.txt", intent: .write, options: .init(replacing: true))
      for _ in 0..<3 {
        let given = try await item.context.call(call)
        #expect(given.path == "b.txt")
        tokens.withLock { $0.append(given.token) }
        _ = try await item.context.call(FileProvider.Uncoordinate(token: given.token))
      }
    }
    let all = tokens.withLock { $0 }
    #expect(Set(all).count == 3 && all.allSatisfy { $0.hasPrefix("1.") })
  }

  @Test func `are for a purpose of 256 bytes at most`() async throws {
    let codes = Codes([])
    try await providing { item in
      for purpose in [String(repeating: "é", count: 128), String(repeating: "é", count: 128) + "a", ""] {
        let error = await refusal {
          let call = FileProvider.Coordinate(
            path: "b.txt", intent: .write, options: .init(replacing: true), purposeIdentifier: purpose)
          let token = try await item.context.call(call).token
          _ = try await item.context.call(FileProvider.Uncoordinate(token: token))
        }
        codes.withLock { $0.append(error?.code) }
      }
    }
    #expect(codes.withLock { $0 } == [nil, .invalidParams, nil])
  }
}
