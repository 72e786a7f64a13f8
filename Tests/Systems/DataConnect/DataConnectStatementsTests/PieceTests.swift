import DataConnectStatements
import Testing

@Suite struct `A piece of SQL` {
  @Test func `quotes names and words`() {
    let text: SQLText = "SELECT \(literal: "it's \\ \"x\"") AS \(name: "a\"b'c"), \(1)"
    #expect(text.text == #"SELECT 'it''s \ "x"' AS "a""b'c", 1"#)
    // With an accent behind it, a quote is a quote to the server.
    #expect(SQLText.literal("'\u{301}").text.unicodeScalars.count { $0 == "'" } == 4)
  }

  @Test func `stays one condition beside others`() {
    #expect([SQLText]().conjunction == nil && [SQLText]().disjunction == nil)
    let alternatives = (["a", "b"] as [SQLText]).disjunction
    #expect(alternatives?.text == "(a OR b)")
    #expect([alternatives, "c"].compactMap(\.self).conjunction?.text == "((a OR b) AND c)")
  }
}
