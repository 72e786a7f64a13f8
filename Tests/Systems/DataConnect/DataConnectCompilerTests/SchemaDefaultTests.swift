import DataConnectCompiler
import TestSupport
import Testing

/// `@default(value: …)` of each type, at the last value that fits and at the first that does not.
@Suite(.timeLimit(.minutes(1)))
struct `A default value` {
  /// A type, a value, and what is advised; nil where the value fits.
  private typealias Case = (type: String, value: String, advice: String?)

  private static let numberAdvice = "Write a number without quotes."
  private static let numbers: [Case] = [
    ("Int", "2147483647", nil), ("Int", "2147483648", "Write a number of 32 bits, or use Int64."),
    ("Int", "-2147483648", nil), ("Int", "-2147483649", "Write a number of 32 bits, or use Int64."),
    ("Int", "1.0", numberAdvice), ("Int", "\"1\"", numberAdvice), ("Int", "true", numberAdvice),
    ("Int64", "9223372036854775807", nil), ("Int64", "9223372036854775808", "Write a number of 64 bits."),
    ("Int64", "-9223372036854775808", nil), ("Int64", "-9223372036854775809", "Write a number of 64 bits."),
    ("Int64", "\"9223372036854775807\"", nil), ("Int64", "\"9223372036854775808\"", "Write a number of 64 bits."),
    ("Int64", "\"\"", "Write a number of 64 bits."), ("Int64", "1.5", numberAdvice),
    ("Float", "1", nil), ("Float", "1.5", nil), ("Float", "-1e3", nil), ("Float", "\"1\"", numberAdvice),
    ("Vector @col(size: 2)", "[1, -2.5]", nil), ("Vector @col(size: 2)", "[]", nil),
    ("Vector @col(size: 2)", "[1, \"2\"]", "Write a list of numbers."),
    ("Vector @col(size: 2)", "1", "Write a list of numbers."),
  ]
  private static let texts: [Case] = [
    ("String", "\"\"", nil), ("String", "1", "Write it between quotes."), ("String", "A", "Write it between quotes."),
    ("Boolean", "false", nil), ("Boolean", "\"true\"", "Write true or false."),
    ("Boolean", "1", "Write true or false."),
    ("UUID", "\"0123456789abcdefABCDEF0123456789\"", nil),
    ("UUID", "\"01234567-89ab-cdef-0123-456789abcdef\"", nil),
    ("UUID", "\"0123456789abcdef0123456789abcde\"", "Write 32 hexadecimal digits."),
    ("UUID", "\"0123456789abcdef0123456789abcdef0\"", "Write 32 hexadecimal digits."),
    ("UUID", "\"0123456789abcdef0123456789abcdeg\"", "Write 32 hexadecimal digits."),
    ("UUID", "\"urn:uuid:01234567-89ab-cdef-0123-456789abcdef\"", nil),
    ("UUID", "\"urn:uuid:01234567-89ab-cdef-0123-456789abcde\"", "Write 32 hexadecimal digits."),
    ("UUID", "\"\u{FF10}123456789abcdef0123456789abcdef\"", "Write 32 hexadecimal digits."),
    ("UUID", "1", "Write it between quotes."), ("Any", "{a: [1, null, X]}", nil), ("Any", "null", nil),
    ("E", "DULL", nil), ("E", "\"BRIGHT\"", nil), ("E", "BRIHT", "Did you mean BRIGHT?"),
    ("E", "XYZ", "Write one of DULL, BRIGHT."), ("E", "\"\"", "Write one of DULL, BRIGHT."),
    ("E", "1", "Write one of DULL, BRIGHT."), ("E", "null", nil),
  ]
  private static let dateAdvice = "Write it as \"2026-01-31\"."
  private static let timeAdvice = "Write it as \"2026-01-31T12:00:00Z\"."
  private static let days: [Case] = [
    ("Date", "\"2026-01-31\"", nil), ("Date", "\"0001-12-01\"", nil), ("Date", "\"9999-10-30\"", nil),
    ("Date", "\"0000-01-31\"", dateAdvice), ("Date", "\"2026-00-31\"", dateAdvice),
    ("Date", "\"2026-13-31\"", dateAdvice), ("Date", "\"2026-01-00\"", dateAdvice),
    ("Date", "\"2026-01-32\"", dateAdvice), ("Date", "\"2026-01-3\"", dateAdvice), ("Date", "\"\"", dateAdvice),
    ("Date", "\"2026x01-31\"", dateAdvice), ("Date", "\"2026-01x31\"", dateAdvice),
    ("Date", "\"2O26-01-31\"", dateAdvice), ("Date", "\"2026-0/-31\"", dateAdvice),
    ("Date", "\"2026-01-1:\"", dateAdvice), ("Date", "\"٢026-01-31\"", dateAdvice),
    ("Date", "20260131", "Write it between quotes."), ("Date", "\"2026-01-31x\"", dateAdvice),
    ("Date", "\"2024-02-29\"", nil), ("Date", "\"2026-02-29\"", dateAdvice), ("Date", "\"2000-02-29\"", nil),
    ("Date", "\"1900-02-29\"", dateAdvice), ("Date", "\"2024-02-30\"", dateAdvice), ("Date", "\"2026-04-30\"", nil),
    ("Date", "\"2026-04-31\"", dateAdvice), ("Date", "\"2026-12-31\"", nil),
    ("Timestamp", "\"2026-01-31T12:00:00Z\"", nil), ("Timestamp", "\"2026-01-31T1\"", nil),
    ("Timestamp", "\"2026-01-31T\"", timeAdvice), ("Timestamp", "\"2026-01-31\"", timeAdvice),
    ("Timestamp", "\"2026-13-31T12:00:00Z\"", timeAdvice), ("Timestamp", "1", "Write it between quotes."),
  ]
  private static let lists: [Case] = [
    ("[Int!]", "[]", nil), ("[Int!]", "[1, 2]", nil), ("[Int!]", "1", nil), ("[Int!]", "[1, \"2\"]", numberAdvice),
    ("[Int!]", "\"1\"", numberAdvice), ("[Int!]", "[1, null]", numberAdvice), ("[Int!]", "[[1]]", numberAdvice),
    ("[Int!]", "null", nil), ("[E!]", "[DULL, BRIGHT]", nil), ("[E!]", "[DULL, \"BRIHT\"]", "Did you mean BRIGHT?"),
    ("Int!", "1", nil), ("Int!", "null", "The column cannot be null: give a value."),
    ("[Int!]!", "null", "The column cannot be null: give a value."), ("[Int!]!", "[true]", numberAdvice),
  ]

  @Test func `of numbers is one`() throws {
    for one in try Cases.present(Self.numbers, least: 23) { check(one) }
  }

  @Test func `of texts, truths and names is one`() throws {
    for one in try Cases.present(Self.texts, least: 21) { check(one) }
  }

  @Test func `of days and times is one`() throws {
    for one in try Cases.present(Self.days, least: 23) { check(one) }
  }

  @Test func `of a day is in its month`() {
    let ends = [
      "01-31", "02-28", "03-31", "04-30", "05-31", "06-30", "07-31", "08-31", "09-30", "10-31", "11-30", "12-31",
    ]
    for end in ends {
      check(("Date", "\"2026-\(end)\"", nil))
      let next = end.hasSuffix("1") ? end.dropLast() + "2" : end.hasSuffix("0") ? end.dropLast() + "1" : "02-29"
      check(("Date", "\"2026-\(next)\"", Self.dateAdvice))
    }
  }

  @Test func `of lists, and of what is never null, fits`() throws {
    for one in try Cases.present(Self.lists, least: 14) { check(one) }
  }

  private func check(_ one: Case) {
    let start = "enum E { DULL BRIGHT } type T @table { x: \(one.type) @default(value: "
    let result = Fixture.compile("\(start)\(one.value)) }")
    let type = one.type.prefix { $0 != " " }.filter { $0 != "!" }
    let shown = one.type.contains("[") ? type.replacingLast(of: "]") : type
    let line = one.advice.map {
      "schema.gql:1:\(start.count + 1): error: The default value is not of the type \(shown). \($0)"
    }
    #expect(result.problems.map(\.description) == [line].compactMap(\.self), "\(one.type) \(one.value)")
    #expect((result.schema == nil) == (line != nil), "\(one.type) \(one.value)")
  }

  @Test func `names twelve values of an enumeration at most`() {
    let values = (1...13).map { "VALUE\($0)" }
    let text = "enum E { \(values.joined(separator: " ")) } type T @table { x: E @default(value: 1) }"
    #expect(
      Fixture.compile(text).problems.first?.fix == "Write one of \(values.dropLast().joined(separator: ", ")).")
    let named = "enum E { \(values.joined(separator: " ")) } type T @table { x: E @default(value: OTHERS) }"
    #expect(
      Fixture.compile(named).problems.first?.fix == "Write one of \(values.dropLast().joined(separator: ", ")).")
  }

  @Test func `may be an expression of either language`() throws {
    let table = try Fixture.schema(
      "type T @table { x: Int @default(expr: \"1 + 1\") y: Int @default(sql: \"2\") z: Int }"
    ).table("T")
    #expect(table?.column("x")?.defaultValue == .expression("1 + 1"))
    #expect(table?.column("y")?.defaultValue == .sql("2"))
    #expect(table?.column("z") != nil && table?.column("z")?.defaultValue == nil)
  }
}

extension String {
  /// With the mark of elements that are never null before the last of these characters.
  fileprivate func replacingLast(of mark: Character) -> String {
    guard let index = lastIndex(of: mark) else { return self }
    return self[..<index] + "!" + self[index...]
  }
}
