import DataConnectStatements
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A key of several columns` {
  private static let schema = """
    enum Kind { TOWN CITY }
    type Place @table(name: "odd \\"places\\"", key: ["country", "kind", "no"]) {
      country: String! @col(dataType: "varchar(2)")
      kind: Kind!
      no: Int64!
      name: String! @col(name: "the \\"name\\"")
      parent: Place
      running: Int! @col(dataType: "serial")
      price: Float @col(dataType: "numeric(10,2)")
      fixed: String @col(dataType: "char(4)")
    }
    type Visit @table(key: ["place", "day"]) { place: Place! day: Date! at: Timestamp }
    type Tick @table(key: "at") { at: Timestamp! }
    """
  private static let data = #"""
    INSERT INTO "odd ""places""" (country, kind, no, "the ""name""", parent_country, parent_kind, parent_no, price, fixed)
    VALUES ('de', 'CITY', 9007199254740993, 'B''n', NULL, NULL, NULL, 1.50, 'ab'),
      ('de', 'TOWN', 1, 'P', 'de', 'CITY', 9007199254740993, NULL, NULL);
    INSERT INTO visit VALUES ('2026-02-01', NULL, 'de', 'TOWN', 1), ('2026-01-01', '2026-01-01T00:00:00.5Z', 'de', 'TOWN', 1);
    INSERT INTO tick VALUES ('2026-03-01T00:00:00Z')
    """#

  private func places() async throws -> QueriedDatabase {
    try await QueriedDatabase(Self.schema, data: Self.data, namespace: "my \"data\"")
  }

  @Test func `tells a row, and those that lead to it`() async throws {
    let places = try await places()
    let query = """
      ($k: Place_Key!) @auth { place(key: $k) {
        no kind name running price fixed
        parent { name no }
        places_on_parent { name parentNo }
        visits_on_place(orderBy: {day: ASC}) { day at place { name } placeNo }
      } }
      """
    #expect(
      try await places.answer(query, ["k": ["country": "de", "kind": "TOWN", "no": 1]])
        == #"{"no":"1","kind":"TOWN","name":"P","running":2,"price":null,"fixed":null,"#
        + #""parent":{"name":"B'n","no":"9007199254740993"},"places_on_parent":[],"visits_on_place":["#
        + #"{"day":"2026-01-01","at":"2026-01-01T00:00:00.500Z","place":{"name":"P"},"placeNo":"1"},"#
        + #"{"day":"2026-02-01","at":null,"place":{"name":"P"},"placeNo":"1"}]}"#)
    #expect(
      try await places.answer(query, ["k": ["country": "de", "kind": "CITY", "no": "9007199254740993"]])
        == #"{"no":"9007199254740993","kind":"CITY","name":"B'n","running":1,"price":1.5,"fixed":"ab","parent":null,"#
        + #""places_on_parent":[{"name":"P","parentNo":"9007199254740993"}],"visits_on_place":[]}"#)
    // A text that is too long for the column is no key, and is not cut to one.
    let other: JSONObject = ["k": ["country": "dex", "kind": "TOWN", "no": 1]]
    #expect(try await places.answer(query, other) == "null")
  }

  @Test func `may have days and times that are computed`() async throws {
    let places = try await places()
    let key = "placeCountry: \"de\", placeKind: TOWN, placeNo: \"1\""
    for (query, expected) in [
      ("visit(key: {\(key), day_date: {on: \"2026-01-31\", add: {days: 1}}}) { day }", #"{"day":"2026-02-01"}"#),
      ("visit(key: {\(key), day_date: {on: \"2026-01-31\"}}) { day }", "null"),
      (
        "tick(key: {at_time: {at: \"2026-03-31T00:00:00Z\", truncateTo: MONTH}}) { at }",
        #"{"at":"2026-03-01T00:00:00Z"}"#
      ),
    ] {
      #expect(try await places.answer("@auth { \(query) }") == expected, "\(query)")
    }
    #expect(
      try QueriedDatabase.refusal("@auth { tick(key: {at_time: null}) { at } }", places.schema)
        == "key: The key of Tick lacks at.")
  }

  @Test func `is what rows are ordered, found and named by`() async throws {
    let places = try await places()
    for (query, expected) in [
      ("places { name }", #"[{"name":"B'n"},{"name":"P"}]"#),
      ("places(orderBy: {kind: ASC}) { name }", #"[{"name":"P"},{"name":"B'n"}]"#),
      ("places(where: {parent: {kind: {eq: CITY}}}) { name }", #"[{"name":"P"}]"#),
      (
        "places(where: {parentKind: {isNull: true}, price: {eq: 1.5}, running: {in: [1]}}) { name }",
        #"[{"name":"B'n"}]"#
      ),
      ("places(orderBy: {parent: {no: ASC}}) { name }", #"[{"name":"P"},{"name":"B'n"}]"#),
      ("place(first: {where: {visits_on_place: {count: {eq: 2}}}}) { name }", #"{"name":"P"}"#),
      (
        "visits { place { kind } _count day_max }",
        #"[{"place":{"kind":"TOWN"},"_count":2,"day_max":"2026-02-01"}]"#
      ),
      // printf 'Place\0{"country":"de","kind":"TOWN","no":"1"}' | sha256sum | cut -c1-32
      (
        "visits(where: {day: {gt: \"2026-01-15\"}}) { _id place { _id } }",
        #"[{"_id":"9d9864707eebfb9203f538fb554b240e","place":{"_id":"1607d8c3510a052f7f642ee24f106935"}}]"#
      ),
    ] {
      #expect(try await places.answer("@auth { \(query) }") == expected, "\(query)")
    }
  }
}
