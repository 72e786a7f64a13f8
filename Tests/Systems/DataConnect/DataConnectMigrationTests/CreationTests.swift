import DataConnectCompiler
import DataConnectMigration
import PostgreSQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The creation of a database` {
  @Test(arguments: ["public", "My \"films\""]) func `makes what native SQL can use`(_ namespace: String) async throws {
    let database = try await TestDatabase()
    try await database.run(
      DatabaseMigration.creation(of: TestDatabase.schema(CreationFixture.films), namespace: namespace))
    try await database.run("SET search_path TO \"\(namespace.replacing("\"", with: "\"\""))\"")
    try await database.run("INSERT INTO film (title) VALUES ('One')")
    let row = try await database.rows(
      """
      SELECT concat_ws('|', mood, moods, minutes, facts->'words'->>0, facts->'words'->>1, released, seen <= now(),
        no, word, length(id::text)) FROM film
      """)
    #expect(row == [#"BRIGHT|{DULL,BRIGHT}|90|it's|a "b" \|2026-01-31|t|1|X|36"#])
    try await database.run(
      """
      INSERT INTO visitor VALUES ('u', 'Ü'); INSERT INTO rating SELECT 2, NULL, id, 'u' FROM film;
      INSERT INTO "order" (film_id) SELECT id FROM film;
      """)
    #expect(try await database.rows("SELECT stars::integer FROM a_ranking") == ["2"])
    // What was required goes with what it refers to; what was not required stays.
    try await database.run(
      "INSERT INTO film (title, sequel_id) SELECT 'Zero', id FROM film; DELETE FROM film WHERE title = 'One'")
    #expect(try await database.rows("SELECT title, sequel_id IS NULL FROM film") == ["Zero,true"])
    #expect(try await database.rows("SELECT 1 FROM rating, \"order\"") == [])
  }

  @Test func `refuses what does not fit`() async throws {
    let database = try await TestDatabase()
    try await database.run(
      DatabaseMigration.creation(of: TestDatabase.schema(CreationFixture.films), namespace: "public"))
    let film = "INSERT INTO film (title"
    #expect(try await database.refusal("\(film)) VALUES (NULL)") == "23502")
    #expect(try await database.refusal("\(film), code) VALUES ('a', '123456')") == "22001")
    #expect(try await database.refusal("\(film), code) VALUES ('a', 'c'), ('b', 'c')") == "23505")
    #expect(try await database.refusal("\(film), sequel_id) VALUES ('a', gen_random_uuid())") == "23503")
    #expect(try await database.refusal("\(film), mood) VALUES ('a', 'SAD')") == "22P02")
    for vector in ["{1,2}", "{}", "{1,2,NULL}", "{{1,2,3}}"] {
      #expect(try await database.refusal("\(film), print) VALUES ('a', '\(vector)'::real[])") == "23514")
    }
    #expect(try await database.refusal("\(film), print) VALUES ('a', '{1,2,3}'::real[])") == nil)
  }

  @Test func `compares vectors by functions of ours`() async throws {
    let database = try await TestDatabase()
    let schema = try TestDatabase.schema(CreationFixture.films)
    // Another one in the same database replaces them.
    for namespace in ["public", "other"] {
      try await database.run(DatabaseMigration.creation(of: schema, namespace: namespace))
    }
    let both = "('{1,2,3}'::real[], '{4,6,3}'::real[])"
    #expect(try await database.rows("SELECT annex.l2_distance\(both)") == ["5"])
    #expect(try await database.rows("SELECT annex.inner_product\(both)") == ["25"])
    #expect(try await database.rows("SELECT annex.negative_inner_product\(both)") == ["-25"])
    #expect(try await database.rows("SELECT round(annex.cosine_distance\(both)::numeric, 4)") == ["0.1445"])
    #expect(try await database.rows("SELECT annex.cosine_distance('{0}', '{1}') IS NULL") == ["true"])
    #expect(try await database.refusal("SELECT annex.l2_distance('{0}', '{1,2}')") == "22000")
    #expect(try await database.rows("SELECT annex.l2_distance(NULL, '{1,2}') IS NULL") == ["true"])
  }

  @Test func `has an index for the words of each language`() async throws {
    let database = try await TestDatabase()
    let schema = try TestDatabase.schema(CreationFixture.films)
    try await database.run(DatabaseMigration.creation(of: schema, namespace: "public"))
    try await database.run("INSERT INTO film (title, plot, nom) VALUES ('The Swimmers', 'A pool', 'Les nageuses')")
    let documents = try #require(schema.table("Film")).searchDocuments
    #expect(documents.map(\.language) == ["english", "french"])
    for (document, word) in zip(documents, ["swimmer pools", "nageuse"]) {
      let condition = "\(document.sql(alias: "f")) @@ websearch_to_tsquery(\(document.configuration), '\(word)')"
      #expect(try await database.rows("SELECT title FROM film f WHERE \(condition)") == ["The Swimmers"])
      let plan = try await database.connection.query(
        "SET enable_seqscan = off", within: TestDatabase.limit)
      #expect(plan.isEmpty)
      let lines = try await database.connection.query(
        "EXPLAIN SELECT title FROM film f WHERE \(condition)", within: TestDatabase.limit)
      #expect(lines.contains { $0.text(at: 0).contains("film_\(document.language)_search_idx") })
    }
  }
}
