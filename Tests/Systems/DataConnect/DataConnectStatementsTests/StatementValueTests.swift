import DataConnectCompiler
import JSON
import PostgreSQL
import Testing

@testable import DataConnectStatements

/// What values become in a statement, and which are none; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `A value in a statement` {
  private func parameters(
    _ query: String, _ variables: JSONObject = [:], expressions: [String: JSONValue] = [:]
  ) throws -> [String?] {
    let schema = try QueriedDatabase.schema(Movies.schema)
    return try QueriedDatabase.statement(query, schema, variables, expressions: expressions).parameters.map {
      if case .text(let text) = $0 { text } else { nil }
    }
  }

  private func refusal(_ query: String, _ variables: JSONObject = [:]) throws -> String? {
    try QueriedDatabase.refusal(query, try QueriedDatabase.schema(Movies.schema), variables)
  }

  @Test func `of a developer's own statement is a text, an array or JSON`() throws {
    let written = """
      @auth { _selectFirst(sql: "SELECT 1", params: [true, false, 1, -1.5, "a", null, WORD, [1, null, "b", true],
        ["a", {b: 1}], [[1], [2]], {c: [1, D]}, [], {}, {_expr: "auth.uid"}, {_expr: "auth.uid", d: 1},
        18446744073709551615, 9223372036854775808, [{_expr: "auth.uid"}]]) }
      """
    #expect(
      try parameters(written, expressions: ["auth.uid": "u1"]) == [
        "true", "false", "1", "-1.5", "a", nil, "WORD", #"{"1",NULL,"b","true"}"#, #"["a",{"b":1}]"#, "[[1],[2]]",
        #"{"c":[1,"D"]}"#, "{}", "{}", "u1", #"{"_expr":"auth.uid","d":1}"#, "18446744073709551615",
        "9223372036854775808", #"[{"_expr":"auth.uid"}]"#,
      ])
    let given = "($p: Any) @auth { _selectFirst(sql: \"SELECT 1\", params: [$p, {a: $p}]) }"
    #expect(
      try parameters(given, ["p": ["_expr": "auth.uid"]]) == [
        #"{"_expr":"auth.uid"}"#, #"{"a":{"_expr":"auth.uid"}}"#,
      ])
    // What is not set is null, and in an object is not there.
    #expect(try parameters(given) == [nil, "{}"])
    #expect(try parameters(given, ["p": .null]) == [nil, #"{"a":null}"#])
    // An expression may come to nothing.
    #expect(
      try parameters(
        "@auth { _selectFirst(sql: \"SELECT 1\", params: [{_expr: \"auth.uid\"}]) }", expressions: ["auth.uid": .null])
        == [nil])
  }

  @Test func `escapes signs though a mark stands behind them`() throws {
    let text = "%\u{301}_\u{301}\\\u{301}a"
    for (name, expected) in [
      ("contains", "%\\%\u{301}\\_\u{301}\\\\\u{301}a%"), ("startsWith", "\\%\u{301}\\_\u{301}\\\\\u{301}a%"),
      ("endsWith", "%\\%\u{301}\\_\u{301}\\\\\u{301}a"),
    ] {
      let query = "($t: String!) @auth { movies(where: {title: {\(name): $t}}) { title } }"
      let found = try parameters(query, ["t": .string(text)])
      #expect(found.map { Array(($0 ?? "").unicodeScalars) } == [Array(expected.unicodeScalars)])
    }
    let array = ArrayText.text(of: ["\"\u{301}", "\\\u{301}"])
    #expect(Array(array.unicodeScalars) == Array("{\"\\\"\u{301}\",\"\\\\\u{301}\"}".unicodeScalars))
    let name = SQLText.name("\"\u{301}").text
    #expect(Array(name.unicodeScalars) == Array("\"\"\"\u{301}\"".unicodeScalars))
  }

  @Test func `is a time that is computed of its parts, each with its sign`() throws {
    func interval(_ duration: String, _ word: String = "add") throws -> String? {
      let query = """
        @auth { movies(where: {added: {eq_time: {at: "2026-01-01T00:00:00Z", \(word): \(duration)}}}) { title } }
        """
      return try parameters(query).last ?? nil
    }
    #expect(try interval("{}") == "0 seconds")
    #expect(try interval("{days: 1, hours: -2, weeks: 0}") == "+1 days -2 hours +0 weeks")
    let all = "{milliseconds: 1, seconds: 2, minutes: 3, hours: 4, days: 5, weeks: 6, months: 7, years: 8}"
    let words = "+1 milliseconds +2 seconds +3 minutes +4 hours +5 days +6 weeks +7 months +8 years"
    #expect(try interval(all) == words && interval(all, "sub") == words)
  }

  @Test func `is cut to the unit that is named`() throws {
    let schema = try QueriedDatabase.schema(Movies.schema)
    for unit in ["SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "YEAR"] {
      let time = try QueriedDatabase.statement(
        "@auth { movies(where: {added: {eq_time: {at: \"2026-01-01T00:00:00Z\", truncateTo: \(unit)}}}) { title } }",
        schema)
      #expect(
        time.text.contains(
          "(date_trunc('\(unit.lowercased())', $1::timestamptz AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')"),
        "\(time.text)")
    }
    for unit in ["WEEK", "MONTH", "YEAR"] {
      let day = try QueriedDatabase.statement(
        "@auth { movies(where: {released: {eq_date: {on: \"2026-01-01\", truncateTo: \(unit)}}}) { title } }", schema)
      #expect(day.text.contains("date_trunc('\(unit.lowercased())', $1::date::timestamp)::date"), "\(day.text)")
    }
    let query = "($t: Timestamp) @auth { movies(where: {added: {eq_time: {at: $t, truncateTo: DAY}}}) { title } }"
    #expect(try refusal(query) == "where.added.eq_time: This has to have one of now and at.")
    #expect(try refusal(query, ["t": .null]) == "where.added.eq_time: This has to have one of now and at.")
    #expect(try refusal(query, ["t": "2026-01-01T00:00:00Z"]) == nil)
  }

  @Test func `is a vector of 1 to 16,000 numbers that the database can hold`() throws {
    let query = "($v: Vector) @auth { movies(where: {print: {eq: $v}}) { title } }"
    let words = "where.print.eq: This has to be a list of at most 16000 finite numbers."
    for (vector, isTaken) in [
      ([0], true), ([], false), ([JSONValue](repeating: 1, count: 16_000), true),
      ([JSONValue](repeating: 1, count: 16_001), false), ([3.4e38, -3.4e38], true), ([1, 3.5e38], false),
      ([-3.5e38], false), ([1, .null], false), ([1, "2"], false), ([[1]], false), ([true], false),
    ] as [([JSONValue], Bool)] {
      #expect(try refusal(query, ["v": .array(vector)]) == (isTaken ? nil : words), "\(vector.prefix(3))")
    }
    #expect(try refusal(query, ["v": 1]) == words)
    #expect(try parameters(query, ["v": [1, 0.5, -2]]) == ["{1.0,0.5,-2.0}"])
  }

  @Test(
    arguments: [
      ("Int", "integer", "integer"), ("Int", "serial", "integer"), ("Int", "SERIAL4", "integer"),
      ("Int", "smallserial", "smallint"), ("Int", "serial2", "smallint"), ("Int64", "bigserial", "bigint"),
      ("Int64", "serial8", "bigint"), ("String", "varchar(8)", "varchar"), ("String", "char(4)", "bpchar"),
      ("String", "character", "bpchar"), ("String", "character  varying ( 5 )", "character varying"),
      ("Float", "numeric(10,2)", "numeric"), ("String", "\\\"My Type\\\"", "\"My Type\""),
    ] as [(String, String, String)])
  func `has the type of its column, without a length`(type: String, written: String, bound: String) throws {
    let schema = try QueriedDatabase.schema("type A @table { v: \(type) @col(dataType: \"\(written)\") }")
    let statement = try QueriedDatabase.statement(
      "($v: \(type)) @auth { as(where: {v: {eq: $v}}) { id } }", schema, ["v": type == "String" ? "1" : 1])
    #expect(statement.text.contains("\"v\" = $1::\(bound)"), "\(statement.text)")
  }

  @Test func `is a UUID or a time to its last character`() {
    let hyphenated = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
    for text in [
      "urn:uuid:\(hyphenated)0", "urn:uuid:\(hyphenated)00", "{\(hyphenated)}0", "{\(hyphenated)0}",
      "{{\(hyphenated)}}",
      "a0eebc99_9c0b-4ef8-bb6d-6bb9bd380a11", "a0eebc99-9c0b_4ef8-bb6d-6bb9bd380a11",
      "a0eebc99-9c0b-4ef8_bb6d-6bb9bd380a11", "a0eebc99-9c0b-4ef8-bb6d_6bb9bd380a11", "é\(hyphenated.dropFirst(2))",
      "/0eebc999c0b4ef8bb6d6bb9bd380a11", ":0eebc999c0b4ef8bb6d6bb9bd380a11", "`0eebc999c0b4ef8bb6d6bb9bd380a11",
    ] { #expect(UUIDText.canonical(text) == nil, "\(text)") }
    #expect(UUIDText.canonical("0123456789abcdef0123456789ABCDEF") == "0123456789abcdef0123456789abcdef")
    #expect(TimeText.timestamp("2016-12-31T23:59:60Z") == "2016-12-31 23:59:60+00:00")
    #expect(TimeText.timestamp("2026-01-31T12:00:00+15:59") == "2026-01-31 12:00:00+15:59")
    #expect(TimeText.timestamp("2026-01-31T12:00:00-15:59") == "2026-01-31 12:00:00-15:59")
    #expect(TimeText.timestamp("2026-01-31T12:00:00-16:00") == nil)
    #expect(TimeText.timestamp("2026-01-31 12:00:00.123456Z") == "2026-01-31 12:00:00.123456+00:00")
    #expect(TimeText.date("9999-12-31") == "9999-12-31" && TimeText.date("10000-01-01") == nil)
  }

  /// FNV-1a over the scalars, as any other program may compute it.
  @Test func `is a vector of a text, the same for ever`() {
    #expect(StandInEmbedding.vector(of: "a", size: 0) == [])
    for text in ["", "!", " - ", "\u{301}"] { #expect(StandInEmbedding.vector(of: text, size: 3) == [1, 0, 0]) }
    let vectors = [
      StandInEmbedding.vector(of: "a", size: 4), StandInEmbedding.vector(of: "Ab", size: 8),
      StandInEmbedding.vector(of: "snow train", size: 8), StandInEmbedding.vector(of: "É9", size: 8),
    ]
    #expect(vectors == Self.expected)
    #expect(StandInEmbedding.vector(of: "TRAIN; snow", size: 8) == vectors[2])
    // A word of one letter is a part of itself, and counts once.
    #expect(
      StandInEmbedding.vector(of: "a bcd", size: 8) == [0, 0.4472, 0, 0.4472, 0.4472, 0, 0.4472, 0.4472])
  }

  private static let expected: [[Double]] = [
    [0, 0, 0, 1],
    [0, 0, 0, 0, 0.8944, 0, 0, 0.4472],
    [-0.7559, -0.378, 0, 0, -0.378, 0.378, 0, 0],
    [-0.5774, -0.5774, -0.5774, 0, 0, 0, 0, 0],
  ]
}
