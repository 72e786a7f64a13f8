import DataConnectCompiler
import JSON
import PostgreSQL
import Testing

@testable import DataConnectStatements

/// What a statement says where several would answer the same; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `The text of a statement` {
  private func text(_ query: String) throws -> String {
    try QueriedDatabase.statement("@auth { \(query) }", try QueriedDatabase.schema(Movies.schema)).text
  }

  @Test(arguments: [
    // The key comes behind what rows are ordered by, and not twice; without an order they come as they were inserted.
    ("movies(orderBy: {id: DESC}) { title }", "ORDER BY t0.\"id\" DESC LIMIT"),
    ("movies(orderBy: {title: ASC}) { title }", "ORDER BY t0.\"title\", t0.\"id\" LIMIT"),
    ("movies(where: {year: {eq: 1}}) { title }", "ORDER BY t0.ctid LIMIT"),
    ("movies_search(query: \"a\") { title }", "ORDER BY \"#\" DESC, t0.\"id\" LIMIT"),
    // Rows are grouped where they are ordered by what is computed of several.
    ("reviews(orderBy: {_count: DESC}) { stars }", " GROUP BY t0.\"stars\" ORDER BY count(*) DESC, t0.\"stars\" LIMIT"),
    ("reviews(orderBy: {stars_sum: DESC}) { day }", " ORDER BY sum(t0.\"stars\") DESC, t0.\"day\" LIMIT"),
    ("reviews(distinct: true, orderBy: {stars: ASC}) { stars }", " ORDER BY t0.\"stars\" LIMIT"),
    (
      "reviews(distinct: true, orderBy: {day: DESC}) { stars }",
      " ORDER BY (array_agg(t0.\"day\" ORDER BY t0.\"day\" DESC))[1] DESC, t0.\"stars\" LIMIT"
    ),
    // What other rows are found by belongs to the group.
    ("movies(distinct: true) { reviews_on_movie { stars } }", " GROUP BY t0.\"id\""),
    ("movies(distinct: true) { people_via_MovieActor { name } }", " GROUP BY t0.\"id\""),
    // A view has one row for each, which only its schema says.
    ("movies { movieStat_on_movie { many } }", " LIMIT 1)"),
  ])
  func `has this`(query: String, piece: String) throws {
    let text = try text(query)
    #expect(text.contains(piece), "\(text)")
  }

  @Test(arguments: [
    ("reviews(orderBy: {day: DESC}) { stars }", "GROUP BY"),
    ("movies { movieMetadata_on_movie { tagline } }", " LIMIT 1)"),
  ])
  func `has this not`(query: String, piece: String) throws {
    let text = try text(query)
    #expect(!text.contains(piece), "\(text)")
  }

  @Test func `makes an object by a function as long as that takes its members`() throws {
    let columns = (0..<51).map { "c\($0)" }
    let schema = try QueriedDatabase.schema(
      "type Wide @table { \(columns.map { "\($0): Int" }.joined(separator: " ")) }")
    for (count, isMany) in [(50, false), (51, true)] {
      let fields = columns.prefix(count).joined(separator: " ")
      let text = try QueriedDatabase.statement("@auth { wides { \(fields) } }", schema).text
      #expect(text.contains("json_object_agg") == isMany && text.contains("json_build_object('c0'") != isMany)
    }
  }

  @Test func `of a single row is ordered by nothing that is computed of several`() throws {
    #expect(
      try QueriedDatabase.refusal(
        "@auth { review(first: {orderBy: {_count: DESC}}) { stars } }", try QueriedDatabase.schema(Movies.schema))
        == "first.orderBy: Single rows cannot be ordered by what is computed of several.")
  }

  @Test func `takes one form of a part of a key`() throws {
    let query = "($key: Reader_Key!) @auth { reader(key: $key) { name } }"
    let schema = try QueriedDatabase.schema(Movies.schema)
    #expect(
      try QueriedDatabase.refusal(query, schema, ["key": ["uid": "a", "uid_expr": "auth.uid"]])
        == "key: uid and uid_expr exclude each other.")
    #expect(try QueriedDatabase.refusal(query, schema, ["key": ["uid": "a", "uid_expr": .null]]) == nil)
  }

  // MARK: Rows that are written

  private func mutation(_ field: String, _ schema: String = Films.schema) throws -> String {
    try QueriedDatabase.mutation("{ \(field) }", try QueriedDatabase.schema(schema)).text
  }

  @Test func `inserts all rows of a table at once, whatever they have`() throws {
    let text = try mutation(
      "movie_insertMany(data: [{title: \"a\"}, {title: \"b\", year: 1}, {title: \"c\", genre: null}])")
    #expect(text.components(of: "INSERT INTO") == 1, "\(text)")
  }

  @Test func `takes a foreign key that is known from the row, and another one from its insert`() throws {
    let club = """
      type Club @table(key: "no") { no: Int! code: String! @unique }
      type Member @table { club: Club @ref(fields: "clubCode", references: "code") clubCode: String }
      """
    for (field, schema, isRead) in [
      ("movie_insert(data: {title: \"a\", reviews_on_movie: [{userUid: \"u\"}]})", Films.schema, false),
      ("album_insert(data: {songs_on_album: [{title: \"a\"}]})", Films.schema, true),
      ("club_insert(data: {no: 1, code: \"a\", members_on_club: [{}]})", club, false),
      ("club_upsert(data: {no: 1, code: \"a\", members_on_club: [{}]})", club, false),
    ] {
      let text = try mutation(field, schema)
      #expect(text.contains("(SELECT t") == isRead, "\(text)")
    }
  }

  @Test func `takes null beside another form of a value for nothing`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    for data in [
      "year: null, year_update: [{inc: 1}]", "slug_expr: null, year_update: null", "year_update: [], year: null",
    ] {
      #expect(try QueriedDatabase.refusal(ofMutation: "{ movie_insert(data: {title: \"A\", \(data)}) }", schema) == nil)
    }
    let text = "($u: [Int_Update!]) { movie_update(id: \"\(Movies.id(1))\", data: {year_update: $u}) }"
    #expect(try QueriedDatabase.refusal(ofMutation: text, schema, ["u": [["inc": 1, "dec": .null]]]) == nil)
    #expect(
      try QueriedDatabase.refusal(ofMutation: text, schema, ["u": [["inc": 1], ["inc": 1, "dec": 2]]])
        == "data.year_update.1: Only one change can stand here.")
  }

  @Test func `knows the forms of a column whose name has a line in it`() throws {
    let text = try mutation("a_insert(data: {my_no_update: [{inc: 1}]})", "type A @table { my_no: Int }")
    #expect(text.contains("(0::integer + "), "\(text)")
  }

  @Test func `has a list as JSON where its column does`() throws {
    let schema = try QueriedDatabase.schema(
      "type A @table { l: [String!] @col(dataType: \"jsonb\") m: [Int] @col(dataType: \"JSON\") n: [Int] }")
    let written = try QueriedDatabase.mutation("{ a_insert(data: {l: [\"a\"], m: [1, null], n: [1, null]}) }", schema)
    #expect(
      written.parameters.prefix(3) == [.text(#"["a"]"#), .text("[1,null]"), .text(#"{"1",NULL}"#)])
    let text = "($l: [String!], $m: [Int]) { a_insert(data: {l: $l, m: $m}) }"
    for (variables, refusal) in [
      (["l": ["a"], "m": [1, .null]], nil), (["l": .null], nil),
      (["l": ["a", .null]], "data.l.1: A value of this list cannot be null."),
      (["l": [1]], "data.l.0: This has to be a text."),
      (["m": [.null, "x"]], "data.m.1: This has to be an integer of 32 bits."),
    ] as [(JSONObject, String?)] {
      #expect(try QueriedDatabase.refusal(ofMutation: text, schema, variables) == refusal)
    }
  }

  // MARK: What it costs

  private func refusal(ofMutation text: String, _ schema: CompiledSchema, bytes: Int) throws -> String? {
    var limits = StatementLimits()
    limits.bytes = bytes
    return try QueriedDatabase.refusal(ofMutation: text, schema, limits: limits)
  }

  @Test func `counts each value of a row, and where it stands`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    let rows = [String](repeating: "{uid: \"a\"}", count: 40).joined(separator: ", ")
    // Of each row the text of one byte, "$1::text" and 9 for its place; then the places of the rows and the key.
    let places = "{" + (0..<40).map { "\"\($0)\"" }.joined(separator: ",") + "}"
    let bytes =
      (1...40).reduce(0) { $0 + 1 + "$\($1)::text".utf8.count + 9 } + places.utf8.count + "uidt1.\"uid\"".utf8.count
    #expect(bytes == 953)
    let text = "{ user_insertMany(data: [\(rows)]) }"
    #expect(try refusal(ofMutation: text, schema, bytes: 953) == nil)
    #expect(
      try refusal(ofMutation: text, schema, bytes: 952) == "The field makes a statement of more than 952 bytes.")
  }

  @Test func `counts each step once more for those before it`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    for (count, isTooMuch) in [(1, false), (40, true)] {
      let steps = [String](repeating: "{inc: 1}", count: count).joined(separator: ", ")
      let text = "{ movie_update(id: \"\(Movies.id(1))\", data: {year_update: [\(steps)]}) }"
      let size = try QueriedDatabase.mutation(text, schema).text.utf8.count
      #expect(try (refusal(ofMutation: text, schema, bytes: size) != nil) == isTooMuch, "\(count)")
    }
  }

  @Test func `counts an order once more for each row that it goes by`() throws {
    let schema = try QueriedDatabase.schema(Movies.schema)
    for (depth, isTooMuch) in [(0, false), (10, true)] {
      let opened = String(repeating: "sequel: {", count: depth) + "title: ASC" + String(repeating: "}", count: depth)
      let query = "@auth { movies(orderBy: {\(opened)}) { title } }"
      var limits = StatementLimits()
      limits.bytes = try QueriedDatabase.statement(query, schema).text.utf8.count
      #expect(try (QueriedDatabase.refusal(query, schema, limits: limits) != nil) == isTooMuch, "\(depth)")
    }
  }
}

extension String {
  /// How often a text is in it.
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
