import DataConnectCompiler
import TestSupport
import Testing

/// Values of the prelude's scalars in operations, at the last that fits and at the first that does not.
@Suite(.timeLimit(.minutes(1)))
struct `A value of a scalar` {
  private static let schema = """
    type T @table { l: Int64 v: Vector @col(size: 2) j: Any d: Date t: Timestamp }
    """
  private static let digits = "0123456789abcdef0123456789abcdef"

  /// What stands around a value, the value, and what it should be; nil where it fits.
  private typealias Case = (start: String, value: String, words: String?)

  private static let id = "ts(where: {id: {eq: "
  private static let uuid = "a UUID: 32 hexadecimal digits between quotes"
  private static let texts: [Case] = [
    (id, "\"\(digits)\"", nil), (id, "\"urn:uuid:01234567-89ab-cdef-0123-456789abcdef\"", nil),
    (id, "\"\(digits)\(String(repeating: " ", count: 13))\"", nil),
    (id, "\"\(digits)\(String(repeating: " ", count: 14))\"", uuid),
    (id, "\"\(digits)\(String(repeating: "é", count: 6)) \"", nil),
    (id, "\"\(digits)\(String(repeating: "é", count: 7))\"", uuid), (id, "\"\(digits.dropLast())\"", uuid),
    (id, "\"\(digits.dropLast())g\"", uuid), (id, "1", uuid), (id, "null", nil),
    ("ts(where: {d: {eq: ", "\"2026-12-31\"", nil), ("ts(where: {d: {eq: ", "\"2026-13-31\"", "a day: \"2026-01-31\""),
    ("ts(where: {d: {eq: ", "20261231", "a day: \"2026-01-31\""),
    ("ts(where: {t: {eq: ", "\"2026-12-31T12:00:00Z\"", nil),
    ("ts(where: {t: {eq: ", "\"2026-12-31\"", "a time: \"2026-01-31T12:00:00Z\""),
    ("ts(where: {t: {eq: ", "1", "a time: \"2026-01-31T12:00:00Z\""),
    ("ts(where: {l: {eq_expr: ", "\"1\"", nil), ("ts(where: {l: {eq_expr: ", "1", "an expression, as a text"),
    ("ts(where: {j: {eq_expr: ", "{}", "an expression, as a text"), ("ts(where: {j: {eq: ", "{a: [1]}", nil),
  ]

  private static let number = "ts(where: {l: {eq: "
  private static let whole = "an integer of 64 bits"
  private static let compared = "ts_v_similarity(where: {id: {eq: null}}, compare: "
  private static let list = "a list of numbers"
  private static let numbers: [Case] = [
    (number, "9223372036854775807", nil), (number, "9223372036854775808", whole), (number, "-9223372036854775808", nil),
    (number, "\"-9223372036854775808\"", nil), (number, "\"-9223372036854775809\"", whole), (number, "\"\"", whole),
    (number, "\"1.0\"", whole), (number, "1.0", whole), (number, "true", whole), (number, "[1]", whole),
    (compared, "[]", nil), (compared, "[1, -2.5]", nil), (compared, "[null]", nil), (compared, "1", list),
    (compared, "[\"1\"]", list), (compared, "[1, true]", list), (compared, "[[1]]", list), (compared, "\"[1]\"", list),
    ("ts(where: {t: {eq_time: {now: ", "true", nil),
    ("ts(where: {t: {eq_time: {now: ", "false", "true, the only value there is"),
    ("ts(where: {t: {eq_time: {now: ", "1", "true, the only value there is"),
  ]

  @Test func `that is a text fits or not`() throws {
    for one in try Cases.present(Self.texts, least: 20) { try check(one, behind: "}}) { id }") }
  }

  @Test func `that is a number fits or not`() throws {
    for one in try Cases.present(Self.numbers, least: 21) {
      let end = one.start == Self.compared ? ") { id }" : one.start.hasSuffix("now: ") ? "}}}) { id }" : "}}) { id }"
      try check(one, behind: end)
    }
  }

  @Test func `that is a statement is a text`() throws {
    let start = "query Q @auth(level: USER) { _select(sql: "
    for (value, isFine) in [("\"SELECT 1\"", true), ("\"\"", true), ("1", false), ("{}", false)] {
      let lines = try problems("\(start)\(value)) }")
      let line = "films.gql:1:\(start.count + 1): error: It should be a statement, as a text."
      #expect(lines == (isFine ? [] : [line]), "\(value)")
    }
  }

  private func problems(_ text: String) throws -> [String] {
    try Fixture.compile(operations: text, schema: Self.schema).problems.map(\.description)
  }

  private func check(_ one: Case, behind end: String) throws {
    let start = "query Q @auth(level: USER) { \(one.start)"
    let lines = try problems("\(start)\(one.value)\(end) }")
    let line = one.words.map { "films.gql:1:\(start.count + 1): error: It should be \($0)." }
    #expect(lines == [line].compactMap(\.self), "\(one.start)\(one.value)")
  }
}
