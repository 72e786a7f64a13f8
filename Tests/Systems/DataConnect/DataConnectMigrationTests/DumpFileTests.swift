import Files
import Foundation
import TestSupport
import Testing

@testable import DataConnectMigration

/// What the rows that a change takes away are written to; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `A file of rows` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// What this process has open below the folder.
  private var open: [String] { OpenFiles.below(folder.path) }

  @Test func `has each row on a line, and is open as long as somebody writes it`() async throws {
    var paths: Set<String> = []
    for pages in [[["{\"a\":\"é\"}", "{}"], ["1"]], [], [["", "x"]]] as [[[String]]] {
      let file = try DumpFile(beginning: folder.file("film.minutes.jsonl"))
      #expect(open == [file.path] && file.path.hasPrefix(folder.file("film.minutes.jsonl.")))
      for page in pages { try await file.write(page) }
      try await file.finish()
      let text = pages.joined().map { $0 + "\n" }.joined()
      #expect(try File.read(file.path, limit: 1 << 10) == Array(text.utf8))
      paths.insert(file.path)
    }
    #expect(open == [] && paths.count == 3)
  }

  @Test func `is refused where its folder is not there`() {
    #expect(throws: FileError.self) { try DumpFile(beginning: folder.file("none/film.jsonl")) }
  }

  @Test func `has a name that a disk takes, whatever a table is called`() throws {
    #expect(DumpFile.name(for: "film.a-b_c1") == "film.a-b_c1.jsonl")
    #expect(DumpFile.name(for: "a/../b \"c\u{0}é") == "a_.._b__c_é.jsonl")
    #expect(DumpFile.name(for: String(repeating: "x", count: 201)) == String(repeating: "x", count: 200) + ".jsonl")
    // Cut between characters.
    let long = DumpFile.name(for: "x" + String(repeating: "é", count: 150))
    #expect(long == "x" + String(repeating: "é", count: 99) + ".jsonl")
    let file = try DumpFile(beginning: folder.file(long))
    #expect(open == [file.path])
  }
}
