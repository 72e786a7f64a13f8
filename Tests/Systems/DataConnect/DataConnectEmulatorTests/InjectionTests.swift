import EventLoop
import HTTPClient
import JSON
import PostgreSQL
import Testing

@testable import DataConnectEmulator

/// Texts that mean something where they are no values.
private enum Hostile {
  static let texts = [
    "'; DROP TABLE \"select\"; --", "\"; DROP TABLE \"select\"; --", "') OR 1=1 --", "1' OR '1'='1",
    "\\'; DROP TABLE x; --",
    "$1", "$1::text) --", "$$; DELETE FROM \"select\"; $$", "$tag$", "E'\\x27'", "\\", "\\\\", "%", "_", "%_\\%",
    "{\"a\":1}", "{a,b}", "{\"a\",NULL}", "NULL", "null", "{}", "[]", "ARRAY[1]", "}}]}", "\"", "'", "''", "`", ";",
    "--",
    "/*", "*/", "/* */", "(", ")", "\u{1}\u{8}\u{1F}\u{7F}", "\r\n\t", "\u{2028}", "Ä\u{308}\u{1F600}\u{202E}",
    "\u{FEFF}x",
    "pg_sleep(10)", "auth.uid", "vars.text", "uuidV4()", "__typename", "${7*7}", "{{7*7}}", "@auth", "#", "&", "|", "!",
    "<->", ":*", "a & !b | (c", " ", "", "\u{27}\u{2019}", String(repeating: "'", count: 999),
  ]
  /// Texts that some value of the schema itself is.
  static let markers = ["keep", "left"]
}

/// A schema whose names mean something to SQL, or hold what ends a name there.
@Suite(.timeLimit(.minutes(2)))
struct `A hostile text at the emulator` {
  private static let schema = #"""
    enum Kind { SELECT DROP TABLE_x null_ }
    type Select @table(name: "select", key: "from") {
      from: String!
      where: String
      group: String @default(value: "it's \"; DROP TABLE \"select\"; --")
      order: [String!]
      user: Any
      kind: Kind @default(value: DROP)
      table: String @unique
      end: String @searchable
    }
    type Quoted @table(name: "a\"b'; DROP TABLE \"select\"; -- %s $1", key: ["id"]) {
      id: String! @col(name: "i\"d'--")
      values: String @col(name: "va\"lues; $1")
      select: Select @ref(constraintName: "c\"d'; --")
    }
    """#

  private static let operations = #"""
    mutation Put($text: String!, $list: [String!]!, $any: Any) @auth(level: PUBLIC) {
      select_upsert(data: {from: $text, where: $text, order: $list, user: $any, table_expr: "vars.text", end: $text})
    }
    mutation Grow($text: String!) @auth(level: PUBLIC) {
      select_update(key: {from: $text}, data: {
        order_update: [{append: [$text]}, {prepend: [$text]}, {add: [$text]}, {remove: []}], where_expr: "vars.text"
      })
    }
    mutation Shrink($text: String!) @auth(level: PUBLIC) {
      select_updateMany(where: {from: {eq: $text}}, data: {order_update: {remove: [$text]}})
    }
    mutation Quote($text: String!) @auth(level: PUBLIC) {
      quoted_insert(data: {id: $text, values: $text, select: {from: $text}})
    }
    mutation Nest($text: String!, $other: String!) @auth(level: PUBLIC) {
      select_upsert(data: {from: $text, quoteds_on_select: [{id: $other, values: $text}]})
    }
    mutation Drop($text: String!) @auth(level: PUBLIC) {
      quoted_deleteMany(where: {_or: [{id: {eq: $text}}, {values: {eq: $text}}]})
      select_delete(key: {from: $text})
    }
    mutation Own($text: String!) @auth(level: PUBLIC) {
      _execute(sql: "UPDATE \"select\" SET \"where\" = $1 WHERE \"from\" = $1", params: [$text])
    }
    mutation OwnBack($text: String!) @auth(level: PUBLIC) {
      _executeReturning(sql: "UPDATE \"select\" SET \"where\" = $1 WHERE \"from\" = $1 RETURNING \"where\"", params: [$text])
    }
    mutation Claim @auth(level: USER) { select_upsert(data: {from_expr: "auth.uid", where_expr: "auth.token.name"}) }
    query Get($text: String!) @auth(level: PUBLIC) {
      select(key: {from: $text}) { from where order user table end quoteds_on_select { id values } }
    }
    query Quotes($text: String!) @auth(level: PUBLIC) {
      quoted(key: {id: $text}) { id values select { from } }
      quoteds(where: {values: {eq: $text}, select: {from: {eq: $text}}}, orderBy: {values: ASC}) { values }
    }
    query Claimed @auth(level: USER) { select(key: {from_expr: "auth.uid"}) { from where } }
    query Native($text: String!, $list: [String!]!) @auth(level: PUBLIC) {
      _select(sql: "SELECT $1::text AS t, $2::text[] AS l, to_jsonb($1::text) AS j", params: [$text, $list])
    }
    query Filter($text: String!, $list: [String!]!) @auth(level: PUBLIC) {
      eq: selects(where: {where: {eq: $text}}) { from }
      in: selects(where: {where: {in: $list}}) { from }
      contains: selects(where: {where: {contains: $text}, from: {eq: $text}}) { from }
      startsWith: selects(where: {where: {startsWith: $text}, from: {eq: $text}}) { from }
      endsWith: selects(where: {where: {endsWith: $text}, from: {eq: $text}}) { from }
      ge: selects(where: {where: {ge: $text, le: $text}}) { from }
      expr: selects(where: {where: {eq_expr: "vars.text"}}) { from }
      includes: selects(where: {order: {includes: $text}, from: {eq: $text}}) { from }
      includesAll: selects(where: {order: {includesAll: $list}, from: {eq: $text}}) { from }
      not: selects(where: {_not: {where: {ne: $text}}, where: {isNull: false}}) { from }
      first: select(first: {where: {where: {eq: $text}}, orderBy: {table: DESC}}) { from }
      having: selects(where: {where: {eq: $text}}, having: {from_count: {eq: 1}}) { from _count }
      ne: selects(where: {where: {ne: $text, gt: $text, lt: $text}}) { from }
      nin: selects(where: {where: {nin: $list}, from: {eq: $text}}) { from }
      excludes: selects(where: {order: {excludes: $text}, from: {eq: $text}}) { from }
      excludesAll: selects(where: {order: {excludesAll: $list}, from: {eq: $text}}) { from }
    }
    query Like($text: String!) @auth(level: PUBLIC) {
      like: selects(where: {where: {pattern: {like: $text}}}) { from }
    }
    query Regex($text: String!) @auth(level: PUBLIC) {
      regex: selects(where: {where: {pattern: {regex: $text, ignoreCase: true}}}) { from }
    }
    query Search($text: String!, $format: Search_QueryFormat) @auth(level: PUBLIC) {
      selects_search(query: $text, queryFormat: $format) { from end }
    }
    query Order($direction: OrderDirection, $kind: Kind) @auth(level: PUBLIC) {
      selects(where: {kind: {eq: $kind}}, orderBy: {from: $direction}) { from kind group }
    }
    """#

  /// What is in the database, without what a test writes.
  private func state(_ emulator: TestEmulator) async throws -> [String] {
    let loop = EventLoop.onThread(name: "test-injection", spin: .zero)
    defer { loop.stop() }
    let connection = try await PostgreSQLConnection.connect(
      to: try PostgreSQLTarget(emulator.database), on: loop, within: .seconds(30))
    let rows = try await connection.query(
      """
      SELECT format('%s %s', table_name, column_name) AS t FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT 'row ' || "from" FROM "select" WHERE "from" IN ('keep', 'left') ORDER BY t
      """, within: .seconds(30))
    await connection.close()
    return rows.map { $0.text(at: 0) }
  }

  private func run(_ body: (TestEmulator) async throws -> Void) async throws {
    try await TestEmulator.run(Self.operations, schema: Self.schema) { emulator in
      for marker in Hostile.markers {
        _ = try await emulator.mutate("Put", ["text": .string(marker), "list": [], "any": .null]).data()
      }
      let before = try await state(emulator)
      #expect(before.count == 13, "\(before)")
      try await body(emulator)
      #expect(try await state(emulator) == before)
    }
  }

  @Test func `is kept as it is in every column, and shown so`() async throws {
    try await run { emulator in
      for text in Hostile.texts {
        let value = JSONValue.string(text)
        let any: JSONValue = .object(JSONObject([(text, .array([value, ["b": value]]))]))
        let put = try await emulator.mutate("Put", ["text": value, "list": [value, value], "any": any])
        #expect(put.data()["select_upsert"] == ["from": value])
        #expect(try await emulator.mutate("Grow", ["text": value]).data()["select_update"] == ["from": value])
        #expect(try await emulator.mutate("Quote", ["text": value]).data()["quoted_insert"] == ["id": value])
        let shown = try await emulator.query("Get", ["text": value]).data()["select"]
        #expect(
          shown == [
            "from": value, "where": value, "order": [value, value, value, value], "user": any, "table": value,
            "end": value, "quoteds_on_select": [["id": value, "values": value]],
          ], "\(text)")
        let quotes = try await emulator.query("Quotes", ["text": value]).data()
        #expect(quotes["quoted"] == ["id": value, "values": value, "select": ["from": value]], "\(text)")
        #expect(quotes["quoteds"] == [["values": value]], "\(text)")
        #expect(try await emulator.mutate("Own", ["text": value]).data()["_execute"] == 1, "\(text)")
        #expect(
          try await emulator.mutate("OwnBack", ["text": value]).data()["_executeReturning"] == [["where": value]])
        let native = try await emulator.query("Native", ["text": value, "list": [value, "x"]]).data()
        #expect(native["_select"] == [["t": value, "l": [value, "x"], "j": value]], "\(text)")
        let nested = try await emulator.mutate("Nest", ["text": value, "other": .string(text + "2")])
        #expect(nested.data()["select_upsert"] == ["from": value])
        let emptied = try await emulator.mutate("Shrink", ["text": value]).data()
        #expect(emptied["select_updateMany"] == 1)
        #expect(try await emulator.query("Get", ["text": value]).data()["select"]?["order"] == [])
        let dropped = try await emulator.mutate("Drop", ["text": value]).data()
        #expect(dropped == ["quoted_deleteMany": 2, "select_delete": ["from": value]], "\(text)")
      }
    }
  }

  @Test func `is compared as it is, with every operator`() async throws {
    try await run { emulator in
      for text in Hostile.texts {
        let value = JSONValue.string(text)
        _ = try await emulator.mutate("Put", ["text": value, "list": [value], "any": value]).data()
        let found = try await emulator.query("Filter", ["text": value, "list": [value]]).data()
        for (name, rows) in try #require(found.objectValue) {
          switch name {
          case "ne", "nin", "excludes", "excludesAll": #expect(rows == [], "\(name) \(text)")
          case "having": #expect(rows == [["from": value, "_count": 1]], "\(name) \(text)")
          case "first": #expect(rows == ["from": value], "\(name) \(text)")
          default: #expect(rows == [["from": value]], "\(name) \(text)")
          }
        }
        // Patterns have a language of their own, and may be wrong in it; more than they say they do not do.
        for name in ["Like", "Regex"] {
          let answer = try await emulator.query(name, ["text": value])
          #expect(answer["errors"] == nil || answer.errorCodes == ["INVALID_ARGUMENT"], "\(name) \(text) \(answer)")
        }
        for format in ["QUERY", "PLAIN", "PHRASE", "ADVANCED"] {
          let answer = try await emulator.query("Search", ["text": value, "format": .string(format)])
          #expect(answer["errors"] == nil || answer.errorCodes == ["INVALID_ARGUMENT"], "\(format) \(text) \(answer)")
          for row in answer["data"]?["selects_search"]?.arrayValue ?? [] { #expect(row["from"] == row["end"]) }
        }
        _ = try await emulator.mutate("Drop", ["text": value]).data()
      }
    }
  }

  @Test func `is what a user is called, and nothing else`() async throws {
    try await run { emulator in
      for text in Hostile.texts where !text.isEmpty {
        let token = TestEmulator.token(text, ["name": .string(text)])
        _ = try await emulator.mutate("Claim", as: token).data()
        let claimed = try await emulator.query("Claimed", as: token).data()
        #expect(claimed["select"] == ["from": .string(text), "where": .string(text)], "\(text)")
        _ = try await emulator.mutate("Drop", ["text": .string(text)]).data()
      }
    }
  }

  @Test func `is no name of an enumeration, an operation, a connector or a field`() async throws {
    try await run { emulator in
      #expect(try await emulator.query("Order", ["direction": "ASC", "kind": "DROP"]).data()["selects"] == Self.rows)
      let names: [String] = Hostile.texts + ["DESC NULLS FIRST", "DESC; DROP TABLE \"select\"", "desc"]
      for text in names {
        let value = JSONValue.string(text)
        let wrong: [JSONValue] = [["direction": value], ["kind": value]]
        for variables in wrong {
          #expect(try await emulator.call("executeQuery", "Order", variables).status == 400, "\(text)")
        }
        #expect(try await emulator.call("executeQuery", "Search", ["text": "x", "format": value]).status == 400)
        let unknown = try await emulator.call("executeQuery", text).status
        #expect(unknown == 400 || unknown == 404, "\(text)")
        var more: JSONObject = ["text": "x"]
        more[text] = "y"
        #expect(try await emulator.call("executeQuery", "Like", .object(more)).status == 400, "\(text)")
        // An administrator's text is GraphQL and no SQL.
        let selection = "selects(where: {\(text): {eq: 1}}) { from }"
        let isBlank = ["", " ", "\r\n\t", "#", "\u{FEFF}x"].contains(text)
        let answer = try await emulator.administer("{ \(selection) }")
        #expect(isBlank || answer["data"]?["selects"] == nil, "\(text) \(answer)")
      }
    }
  }

  private static let rows: JSONValue = .array(
    Hostile.markers.map { (marker: String) -> JSONValue in
      ["from": .string(marker), "kind": "DROP", "group": "it's \"; DROP TABLE \"select\"; --"]
    })
}
