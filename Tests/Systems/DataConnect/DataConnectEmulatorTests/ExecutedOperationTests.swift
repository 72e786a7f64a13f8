import DataConnectCompiler
import GraphQL
import JSON
import Testing

@testable import DataConnectEmulator

/// The body of an answer to the byte, and what is withdrawn of it; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `An executed operation` {
  private static let project = Result {
    try PlainProject(
      """
      mutation M @auth(level: PUBLIC) {
        a: movie_insert(data: {title: "a"})
        b: movie_insert(data: {title: "b"})
        hidden: movie_insert(data: {title: "c"}) @redact
      }
      """)
  }

  /// The result of a field that has written a row.
  private func result(_ field: String, _ text: String, note: String? = nil) throws -> FieldResult {
    var result = FieldResult(try Self.project.get().plan("M", field))
    result.text = Array(text.utf8)
    if let note {
      result.notes = [EntityNote(path: [.name(field)], ids: [note], isList: false)]
      result.writes = [note]
    }
    return result
  }

  private func text(_ executed: ExecutedOperation) -> String { String(decoding: executed.body, as: UTF8.self) }

  @Test func `has what is not redacted in the order of its fields`() throws {
    let results = [
      try result("b", "{\"id\":\"é\"}"), try result("hidden", "1", note: "x"), try result("a", "null", note: "y"),
    ]
    let executed = ExecutedOperation(results: results, failure: nil)
    #expect(
      text(executed)
        == #"{"data":{"b":{"id":"é"},"a":null},"extensions":{"dataConnect":[{"path":["a"],"entityId":"y"}]}}"#)
    #expect(executed.errors == [] && executed.hasEffect)
    // What is written counts, though nobody is shown it.
    #expect(executed.writes == ["x", "y"])
    #expect(text(ExecutedOperation(results: [], failure: nil)) == #"{"data":{}}"#)
    #expect(try text(ExecutedOperation(results: [result("hidden", "1")], failure: nil)) == #"{"data":{}}"#)
  }

  @Test func `appends its members without braces to what is there`() throws {
    var bytes = Array("before".utf8)
    ExecutedOperation(results: [try result("a", "1")], failure: nil).writeMembers(into: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == #"before"data":{"a":1}"#)
  }

  @Test func `has the error of the whole first, then those of its fields`() throws {
    let plan = try Self.project.get().plan("M", "b")
    let failed = FieldResult(plan, OperationError(.aborted, "No.", path: [.name("b")]))
    let whole = OperationError(.permissionDenied, "Never.")
    let executed = ExecutedOperation(results: [try result("a", "1"), failed], failure: whole)
    #expect(executed.errors.map(\.message) == ["Never.", "No."] && executed.hasEffect)
    #expect(
      text(executed)
        == #"{"data":{"a":1,"b":null},"errors":[{"message":"Never.","extensions":{"code":"PERMISSION_DENIED"}},"#
        + #"{"message":"No.","path":["b"],"extensions":{"code":"ABORTED"}}]}"#)
    let none = ExecutedOperation(results: [failed], failure: nil)
    #expect(!none.hasEffect && none.writes == [])
    #expect(!ExecutedOperation(results: [], failure: nil).hasEffect)
  }

  @Test func `has the statements beside the rows that it tells`() throws {
    var statements = ExecutedStatements()
    statements.add("SELECT $1", at: [.name("a"), .index(0)])
    let both = ExecutedOperation(results: [try result("a", "1", note: "y")], failure: nil, statements: statements)
    #expect(
      text(both)
        == #"{"data":{"a":1},"extensions":{"dataConnect":[{"path":["a"],"entityId":"y"}],"#
        + #""annex":{"statements":[{"path":["a",0],"sql":"SELECT $1"}]}}}"#)
    let none = ExecutedOperation(results: [], failure: nil, statements: ExecutedStatements())
    #expect(text(none) == #"{"data":{},"extensions":{"annex":{"statements":[]}}}"#)
  }

  @Test func `tells 100 statements, and that there were more`() {
    var statements = ExecutedStatements()
    for number in 0..<100 { statements.add("\(number)", at: []) }
    #expect(statements.json.arrayValue?.count == 100 && statements.json[99] == ["path": [], "sql": "99"])
    for _ in 0..<2 {
      statements.add("more", at: [])
      #expect(statements.json.arrayValue?.count == 101)
      #expect(statements.json[99] == ["path": [], "sql": "99"] && statements.json[100] == .null)
    }
  }

  @Test func `tells 256 KiB of statements, and that there was more`() {
    var statements = ExecutedStatements()
    let half = String(repeating: "é", count: 65_536)
    statements.add(half, at: [])
    statements.add(half, at: [])
    #expect(statements.json == [["path": [], "sql": .string(half)], ["path": [], "sql": .string(half)]])
    statements.add("a", at: [])
    #expect(statements.json.arrayValue?.count == 3 && statements.json[2] == .null)
    var one = ExecutedStatements()
    one.add(half + half + "a", at: [])
    #expect(one.json == [.null])
    // There is room for one that is shorter.
    one.add("a", at: [])
    #expect(one.json == [["path": [], "sql": "a"], .null])
  }

  @Test func `shows nothing of a field that is undone or does not count, with the reason`() throws {
    for (isUndone, words) in [
      (true, "A later step failed, and this one was undone (rolled back)"),
      (false, "Another step failed, and this one does not count (aborted)"),
    ] {
      var done = try result("a", "1", note: "y")
      if isUndone { done.rollBack() } else { done.abort() }
      #expect(done.text == FieldResult.null && done.notes == [] && done.writes == [])
      #expect(done.error == OperationError(.aborted, words, path: [.name("a")]))
      // Of what is redacted nothing is said.
      var hidden = try result("hidden", "1", note: "x")
      if isUndone { hidden.rollBack() } else { hidden.abort() }
      #expect(hidden.text == FieldResult.null && hidden.notes == [] && hidden.writes == [] && hidden.error == nil)
      // The first reason stays.
      let reason = OperationError(.notFound, "Why.", path: [.name("b")])
      var failed = FieldResult(try Self.project.get().plan("M", "b"), reason)
      if isUndone { failed.rollBack() } else { failed.abort() }
      #expect(failed.error == reason && failed.text == FieldResult.null)
    }
    #expect(FieldResult.null == Array("null".utf8))
  }

  @Test func `reads what the database wrote only where it is looked at`() throws {
    let text = Array(#"{"a": 1}"#.utf8)
    #expect(try FieldText(text: text, isRead: false).tree == nil)
    let read = try FieldText(text: text, isRead: true)
    #expect(read.tree == ["a": 1] && read.text == text)
    #expect(try FieldText(text: [0x7B], isRead: false).text == [0x7B])
    #expect(throws: OperationError(.internalFailure, "The database answered no JSON.")) {
      try FieldText(text: [0x7B], isRead: true)
    }
    // Deeper than what clients may send.
    for (depth, isRead) in [(256, true), (257, false)] {
      let nested = [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
      #expect(((try? FieldText(text: nested, isRead: true)) != nil) == isRead)
    }
    let made = FieldText(["é": [1, .null]])
    #expect(made.tree == ["é": [1, .null]] && made.text == Array(#"{"é":[1,null]}"#.utf8))
  }
}
