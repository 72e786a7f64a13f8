import DataConnectStatements
import JSON
import PostgreSQL
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `A field that inserts` {
  private let id = "0123456789abcdef0123456789abcdef"

  @Test func `gives the key, and the row the defaults`() async throws {
    let db = try await Films.database()
    let key = try JSONCoding.parse(try await db.change("{ movie_insert(data: {title: \"A\"}) }"))
    #expect(key["id"]?.stringValue?.utf8.count == 32 && key.objectValue?.count == 1)
    #expect(
      try await db.columns("title, year, views, genre, created_at AT TIME ZONE 'UTC'", of: "movie")
        == ["A|-|0|DRAMA|31.03.2026 10:20:30.123456"])
    #expect(try await db.change("{ user_insert(data: {}) }") == #"{"uid":"u1"}"#)
    #expect(try await db.change("{ album_insert(data: {}) }") == #"{"id":1}"#)
    #expect(
      try await db.change("{ album_insertMany(data: [{}, {}, {name: \"x\"}]) }") == #"[{"id":2},{"id":3},{"id":4}]"#)
    #expect(try await db.rows("SELECT count(*) FROM album WHERE at > now() - interval '1 day'") == ["4"])
  }

  @Test func `leaves out what is not set, and makes null what is null`() async throws {
    let db = try await Films.database()
    let text = "($genre: Genre, $views: Int64) { movie_insert(data: {title: \"A\", genre: $genre, views: $views}) }"
    try await db.change(text)
    try await db.change(text, ["genre": .null, "views": "9007199254740993"])
    #expect(try await db.columns("genre, views", of: "movie", order: "views") == ["DRAMA|0", "-|9007199254740993"])
  }

  @Test func `takes every form of a value`() async throws {
    let db = try await Films.database("INSERT INTO \"user\" (uid) VALUES ('u1')")
    try await db.change(
      """
      ($key: User_Key!, $meta: Any, $moods: [Genre!]) { movie_insert(data: {
        id: "{01234567-89AB-CDEF-0123-456789ABCDEF}", title_expr: "auth.uid", rating: 1, tags: ["a\\"", "b,c"], moods: $moods,
        released_date: {today: true, sub: {days: 1}}, updatedAt_time: {at: "2026-01-31T00:00:00Z", add: {months: 1}},
        meta: $meta, owner: $key, year_update: [{inc: 3}, {dec: 1}], views_update: {inc: "5"}
      }) }
      """, ["key": ["uid": "u1"], "meta": ["a": [1, .null]], "moods": ["WESTERN", "DRAMA"]])
    #expect(
      try await db.columns(
        "title, rating, tags, moods, released, updated_at AT TIME ZONE 'UTC', meta, owner_uid, year, views", of: "movie"
      )
        == [
          "u1|1|{\"a\\\"\",\"b,c\"}|{WESTERN,DRAMA}|30.03.2026|28.02.2026 00:00:00|{\"a\": [1, null]}|u1|2|5"
        ])
    try await db.change("{ movie_insert(data: {title: \"B\", ownerUid_expr: \"auth.uid\", owner: null}) }")
    try await db.change("{ movie_insert(data: {title: \"C\", owner: {uid_expr: \"auth.uid\"}, slug_expr: \"null\"}) }")
    #expect(try await db.columns("title, owner_uid", of: "movie") == ["B|u1", "C|u1", "u1|u1"])
  }

  @Test func `gives the keys of many in their order, whatever columns each has`() async throws {
    let db = try await Films.database()
    let ids = (0..<60).map { String(repeating: "0", count: 30) + "\(10 + (97 - $0) % 60)" }
    let rows: [JSONValue] = ids.enumerated().map { index, id in
      var row: JSONObject = ["id": .string(id), "title": .string("m\(index)")]
      if index % 3 == 1 { row["year"] = JSONValue(index) }
      if index % 5 == 1 { row["genre"] = .null }
      return .object(row)
    }
    let text =
      "($rows: [Movie_Data!]! @allow(fields: \"id title year genre\", maxCount: 60)) { movie_insertMany(data: $rows) }"
    let expected = JSONValue.array(ids.map { ["id": .string($0)] })
    #expect(try await db.change(text, ["rows": .array(rows)]) == expected.description)
    #expect(try await db.rows("SELECT count(*) FROM movie WHERE genre IS NULL") == ["12"])
    #expect(try await db.rows("SELECT count(*) FROM movie WHERE year IS NOT NULL") == ["20"])
    #expect(try await db.change(text, ["rows": []]) == "[]")
    #expect(try await db.rows("SELECT count(DISTINCT id) FROM movie") == ["60"])
  }

  @Test func `inserts rows that lead to it`() async throws {
    let db = try await Films.database("INSERT INTO \"user\" (uid) VALUES ('u1'), ('u2')")
    #expect(
      try await db.change(
        """
        { movie_insertMany(data: [{title: "A"}, {id: "\(id)", title: "B", movieMetadata_on_movie: {text: "t"},
          reviews_on_movie: [{user: {uid: "u1"}}, {userUid: "u2", stars: 5}]}, {title: "C"}]) }
        """
      ).contains("},{\"id\":\"\(id)\"},{"))
    #expect(
      try await db.columns("movie_id, user_uid, stars", of: "review", order: "user_uid").map { $0.suffix(4) } == [
        "u1|3", "u2|5",
      ])
    #expect(try await db.columns("text", of: "movie_metadata") == ["t"])
    // The key of this one is the database's.
    #expect(
      try await db.change("{ album_insert(data: {name: \"a\", songs_on_album: [{title: \"x\"}, {title: \"y\"}]}) }")
        == #"{"id":1}"#)
    #expect(try await db.columns("album_id, title", of: "song", order: "title") == ["1|x", "1|y"])
    let albums = try await db.change(
      """
      { album_insertMany(data: [{name: "b", songs_on_album: [{title: "z"}]}, {name: "c"},
        {name: "d", songs_on_album: {title: "w"}}]) }
      """)
    let ids = try JSONCoding.parse(albums).arrayValue?.map { "\($0["id"] ?? 0)" }
    #expect(ids?.sorted() == ["2", "3", "4"])
    #expect(
      try await db.rows("SELECT string_agg(id::text, ' ' ORDER BY name) FROM album WHERE id > 1") == [
        ids?.joined(separator: " ")
      ])
    #expect(
      try await db.rows(
        "SELECT string_agg(a.name || s.title, ' ' ORDER BY name) FROM song s JOIN album a ON a.id = s.album_id WHERE a.id > 1"
      )
        == ["bz dw"])
    // Together or not at all.
    #expect(
      try await db.state("{ movie_insert(data: {title: \"D\", reviews_on_movie: [{userUid: \"nobody\"}]}) }") == "23503"
    )
    #expect(try await db.rows("SELECT count(*) FROM movie") == ["3"])
    #expect(
      try QueriedDatabase.refusal(
        ofMutation: "{ movie_insert(data: {title: \"D\", reviews_on_movie: [{movieId: \"\(id)\"}]}) }", db.schema)
        == "data.reviews_on_movie.0: movieId is that of the row around it.")
  }

  @Test func `is refused by the constraints of the database`() async throws {
    let db = try await Films.database()
    let text = "($id: UUID, $code: String) { movie_insert(data: {id: $id, title: \"A\", code: $code}) }"
    #expect(try await db.state(text, ["id": .string(id)]) == nil)
    #expect(try await db.state(text, ["id": .string(id)]) == "23505")
    #expect(try await db.state(text, ["code": "12345"]) == "22001")
    #expect(try await db.state("{ movie_insert(data: {title_expr: \"null\"}) }") == "23502")
    #expect(try await db.state("{ movie_insert(data: {title: \"A\", ownerUid: \"nobody\"}) }") == "23503")
    #expect(
      try await db.state("{ movie_insertMany(data: [{title: \"A\", slug: \"s\"}, {title: \"B\", slug: \"s\"}]) }")
        == "23505")
    #expect(try await db.rows("SELECT count(*) FROM movie") == ["1"])
  }

  private static let texts = [
    "'; DROP TABLE movie; --", "\"; DROP TABLE movie; --", "$1", "$1::text", "\\'; DROP TABLE movie; --", "%s",
    "{\"a\"}",
    "');--", "E'\\x27'", "\u{1F600}\u{202E}", "a\nb", "NULL", "", "/* */", "${x}", "1 OR 1=1", "\\", "{NULL,NULL}",
  ]

  @Test func `keeps every text as it is`() async throws {
    let db = try await Films.database()
    let mutation = """
      ($title: String!, $tags: [String!], $meta: Any) {
        movie_insert(data: {title: $title, tags: $tags, meta: $meta, owner: {uid: $title}}) }
      """
    var statements: Set<String> = []
    for text in Self.texts {
      try await db.change("($uid: String!) { user_insert(data: {uid: $uid}) }", ["uid": .string(text)])
      let variables: JSONObject = [
        "title": .string(text), "tags": [.string(text), .string(text + text)], "meta": .object([text: .string(text)]),
      ]
      statements.insert(try QueriedDatabase.mutation(mutation, db.schema, variables).text)
      try await db.change(mutation, variables)
      let found = try await db.connection.query(
        "DELETE FROM movie WHERE title = $1 RETURNING title, tags[1], tags[2], meta ->> $1, owner_uid", [.text(text)],
        within: QueriedDatabase.limit)
      #expect((0..<5).map { found.first?.text(at: $0) } == [text, text, text + text, text, text])
    }
    // Values are no part of the statement, which stays prepared.
    #expect(statements.count == 1)
  }

  @Test func `refuses what no column can have, before the database does`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    let text =
      "($data: Movie_Data! @allow(fields: \"id title genre released year tags\")) { movie_insert(data: $data) }"
    for (data, words) in [
      (["title": "a\0b"], "A text has the character U+0000, which the database cannot hold."),
      (["genre": "DRAMA'::text"], "data.genre: This has to be one of the values of Genre: DRAMA, COMEDY, WESTERN."),
      (["id": "1' OR '1'='1"], "data.id: This has to be a UUID: 32 hexadecimal digits."),
      (["released": "infinity"], "data.released: This has to be a day: \"2026-01-31\"."),
      (["year": 1e10], "data.year: This has to be an integer of 32 bits."),
      (["tags": ["a", .null]], "data.tags.1: A value of this list cannot be null."),
    ] as [(JSONObject, String)] {
      #expect(try QueriedDatabase.refusal(ofMutation: text, schema, ["data": .object(data)]) == words)
    }
  }

  @Test func `says which column a reference to another one than the key needs`() throws {
    let schema = try QueriedDatabase.schema(
      """
      type Club @table(key: "no") { no: Int! code: String! @unique }
      type Member @table { club: Club @ref(fields: "clubCode", references: "code") clubCode: String }
      """)
    #expect(
      try QueriedDatabase.refusal(ofMutation: "{ member_insert(data: {club: {no: 1}}) }", schema)
        == "data.club: club leads to code, which is not part of the key: give clubCode.")
    #expect(try QueriedDatabase.refusal(ofMutation: "{ member_insert(data: {clubCode: \"a\"}) }", schema) == nil)
    #expect(try QueriedDatabase.refusal(ofMutation: "{ member_insert(data: {club: null}) }", schema) == nil)
  }

  @Test func `has limits`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    let text = "($rows: [Movie_Data!]! @allow(fields: \"title\")) { movie_insertMany(data: $rows) }"
    let rows = JSONValue.array((0..<50).map { ["title": .string("\($0)")] })
    var limits = StatementLimits()
    limits.rows = 49
    #expect(
      try QueriedDatabase.refusal(ofMutation: text, schema, ["rows": rows], limits: limits)
        == "data.49: More than 49 rows cannot be inserted at once.")
    limits = StatementLimits()
    limits.parameters = 20
    #expect(
      try QueriedDatabase.refusal(ofMutation: text, schema, ["rows": rows], limits: limits)
        == "The field has more than 20 values.")
    limits = StatementLimits()
    limits.bytes = 500
    #expect(
      try QueriedDatabase.refusal(ofMutation: text, schema, ["rows": rows], limits: limits)
        == "The field makes a statement of more than 500 bytes.")
    // Each of these is a part of its own, since the database makes its key.
    let albums = (0..<65).map { _ in "{songs_on_album: [{title: \"a\"}]}" }.joined(separator: ", ")
    #expect(
      try QueriedDatabase.refusal(ofMutation: "{ album_insertMany(data: [\(albums)]) }", schema)
        == "The rows differ in too many ways to be written by one statement.")
  }
}
