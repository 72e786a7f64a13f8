import DataConnectCompiler
import GraphQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A compiled schema` {
  @Test func `has a key where nobody wrote one`() throws {
    let schema = try Fixture.schema("type Film @table { title: String! }")
    let film = try #require(schema.table("Film"))
    #expect(film.key == ["id"])
    #expect(film.columns.map(\.name) == ["title", "id"])
    #expect(film.column("id")?.defaultValue == .expression("uuidV4()"))
    #expect(film.column("id")?.origin == .implicitKey)
    #expect(film.hasIDArgument)
    let own = try Fixture.schema("type Film @table { id: Int! @col(dataType: \"serial\") }").table("Film")
    #expect(own?.key == ["id"] && own?.column("id")?.sqlType == "serial" && own?.column("id")?.origin == .declared)
  }

  @Test func `has the foreign keys of its references`() throws {
    let schema = try Fixture.schema()
    let rating = try #require(schema.table("Rating"))
    #expect(rating.key == ["filmId", "visitorUid"])
    #expect(rating.columns.map(\.name) == ["stars", "text", "filmId", "visitorUid"])
    #expect(rating.column("visitorUid")?.type.text == "String!")
    let reference = try #require(rating.reference("visitor"))
    #expect(reference.targetColumns == ["uid"] && reference.onDelete == .cascade && !reference.isUnique)
    #expect(reference.constraintName == "rating_visitor_uid_fkey")
    let sequel = schema.table("Film")?.reference("sequel")
    #expect(sequel?.columns == ["sequelId"] && sequel?.onDelete == .setNull)
    #expect(schema.table("Film")?.column("sequelId")?.type.text == "UUID")
  }

  @Test func `may have foreign keys that nobody wrote in its key`() throws {
    let text = "type A @table(key: [\"bId\", \"n\"]) { parent: A n: Int! b: B! } type B @table { x: Int }"
    let table = try #require(try Fixture.schema(text).table("A"))
    #expect(table.key == ["bId", "n"])
    #expect(table.reference("parent")?.columns == ["parentBId", "parentN"])
    #expect(table.columns.map(\.name) == ["n", "parentBId", "parentN", "bId"])
  }

  @Test func `takes foreign keys that are declared`() throws {
    let text = """
      type Film @table(key: ["studio", "number"]) { studio: String! number: Int! }
      type Scene @table {
        film: Film! @ref(fields: ["filmStudio", "filmNumber"], constraintName: "of_film")
        filmStudio: String! @col(name: "studio", dataType: "varchar(20)")
        filmNumber: Int! @index
        first: Film
      }
      """
    let scene = try #require(try Fixture.schema(text).table("Scene"))
    #expect(scene.columns.map(\.name) == ["filmStudio", "filmNumber", "id", "firstStudio", "firstNumber"])
    #expect(scene.column("filmStudio")?.sqlName == "studio" && scene.column("filmStudio")?.sqlType == "varchar(20)")
    #expect(scene.reference("film")?.targetColumns == ["studio", "number"])
    #expect(scene.reference("film")?.constraintName == "of_film")
    #expect(scene.reference("first")?.constraintName == "scene_first_studio_first_number_fkey")
  }

  @Test func `refers to other unique columns`() throws {
    let text = """
      type User @table { email: String! @unique }
      type Post @table { author: User! @ref(fields: "authorEmail", references: "email") authorEmail: String! }
      """
    #expect(try Fixture.schema(text).table("Post")?.reference("author")?.targetColumns == ["email"])
  }

  @Test func `knows one to one, many to one and many to many`() throws {
    let schema = try Fixture.schema()
    let film = try #require(schema.table("Film"))
    #expect(
      film.reverse.map(\.field) == [
        "films_on_sequel", "ratings_on_film", "filmNumbers_on_film", "poster_on_film",
      ])
    #expect(film.reverse.map(\.isOne) == [false, false, true, true])
    #expect(film.joins.map(\.field) == ["visitors_via_Rating"])
    #expect(schema.table("Visitor")?.joins.map(\.field) == ["films_via_Rating"])
    let key = try Fixture.schema(
      "type A @table { x: Int } type B @table(key: \"a\") { a: A! } type C @table @unique(fields: [\"a\"]) { a: A }")
    #expect(key.table("A")?.reverse.map(\.field) == ["b_on_a", "c_on_a"])
    #expect(key.table("B")?.key == ["aId"] && key.table("B")?.hasIDArgument == false)
  }

  @Test func `has the names and types of the database`() throws {
    let text = """
      enum OrderState { OPEN DONE }
      type MovieMetadata @table {
        imageURL: String, releaseYear: Int, count64: Int64, rating: Float, ok: Boolean, day: Date, at: Timestamp
        extra: Any, plot: Vector @col(size: 768), state: OrderState, states: [OrderState!], tags: [String], key: UUID
      }
      type Order @table(name: "orders") { total: Float @col(name: "sum", dataType: "numeric(10,2)") }
      """
    let schema = try Fixture.schema(text)
    let table = try #require(schema.table("MovieMetadata"))
    #expect(table.sqlName == "movie_metadata" && schema.table("Order")?.sqlName == "orders")
    let types = table.columns.map { "\($0.sqlName) \($0.sqlType)" }
    #expect(
      types == [
        "image_url text", "release_year integer", "count64 bigint", "rating double precision", "ok boolean",
        "day date", "at timestamptz", "extra jsonb", "plot vector(768)", "state \"order_state\"",
        "states \"order_state\"[]", "tags text[]", "key uuid", "id uuid",
      ])
    #expect(schema.table("Order")?.columns.first.map { "\($0.sqlName) \($0.sqlType)" } == "sum numeric(10,2)")
    #expect(schema.enumeration("OrderState")?.values == ["OPEN", "DONE"])
  }

  @Test(arguments: [
    ("Movie", "movie", "movies"), ("MovieMetadata", "movieMetadata", "movieMetadatas"), ("Games", "games", "gamess"),
    ("NotificationOutbox", "notificationOutbox", "notificationOutboxes"), ("Category", "category", "categories"),
    ("Day", "day", "days"), ("Address", "address", "addresses"), ("Status", "status", "statuses"),
    ("Person", "person", "people"), ("Table2", "table2", "table2s"), ("News", "news", "newss"),
  ])
  func `calls one row and several differently`(type: String, singular: String, plural: String) throws {
    let table = try Fixture.schema("type \(type) @table { x: Int }").table(type)
    #expect(table?.singular == singular && table?.plural == plural)
  }

  @Test func `takes names in any case, and says so`() throws {
    let result = Fixture.compile("enum my_state { A } type film @table { e: my_state }")
    #expect(result.schema?.table("film")?.plural == "films")
    #expect(result.problems.map(\.severity) == [.warning, .warning])
    #expect(result.problems.first?.fix?.contains("no underscore: MyState") == true)
  }

  @Test func `joins a table with itself, one field for each end`() throws {
    let schema = try Fixture.schema(
      """
      type Child @table { name: String! }
      type Friendship @table(key: ["child", "friend"]) { child: Child! friend: Child! }
      type Game @table(key: ["child", "friend", "at"]) { child: Child! friend: Child! at: Date! }
      """)
    let joins = try #require(schema.table("Child")?.joins)
    #expect(joins.map(\.field) == ["children_via_Friendship_on_child", "children_via_Friendship_on_friend"])
    #expect(joins.map(\.near) == ["child", "friend"] && joins.map(\.far) == ["friend", "child"])
  }

  @Test func `takes names that are given`() throws {
    let text =
      "type FavoriteMovie @table(singular: \"favorite_movie\") { x: Int } type Ox @table(plural: \"herd\") { x: Int }"
    let schema = try Fixture.schema(text)
    #expect(schema.table("FavoriteMovie")?.plural == "favorite_movies")
    #expect(schema.fields("Mutation").contains("favorite_movie_upsert"))
    #expect(schema.fields("Query").contains("herd") && schema.fields("Query").contains("ox"))
  }

  @Test func `has indexes and constraints`() throws {
    let text = """
      type Rating @table @index(fields: ["stars", "film"], order: [DESC, ASC]) @unique(fields: ["film", "day"], indexName: "one") {
        film: Film! @index
        stars: Int! @index(name: "by_stars")
        day: Date @unique
        tags: [String!] @index
        plot: Vector @col(size: 2) @index(type: IVFFLAT, vector_method: COSINE)
      }
      type Film @table { x: Int }
      """
    let table = try #require(try Fixture.schema(text).table("Rating"))
    #expect(
      table.indexes.map(\.name) == [
        "rating_stars_film_id_da_idx", "rating_film_id_idx", "by_stars", "rating_tags_idx", "rating_plot_idx",
      ])
    #expect(table.indexes.map(\.kind) == [.btree, .btree, .btree, .gin, .ivfflat])
    #expect(table.indexes.first?.descends == [true, false] && table.indexes.last?.vectorMethod == "COSINE")
    #expect(table.uniques.map(\.name) == ["one", "rating_day_uidx"])
    #expect(table.uniques.first?.columns == ["filmId", "day"])
  }

  @Test func `takes what extensions add, and no tables at all`() throws {
    let schema = try Fixture.schema("type Film @table { a: Int } extend type Film @index(fields: [\"b\"]) { b: Int }")
    #expect(schema.table("Film")?.columns.map(\.name) == ["a", "b", "id"])
    #expect(schema.table("Film")?.indexes.count == 1)
    let empty = try Fixture.schema("# nothing yet\n")
    #expect(empty.tables.isEmpty)
    #expect(empty.expansionFiles.map(\.path) == ["prelude.gql"])
  }

  @Test func `says what root fields do`() throws {
    let schema = try Fixture.schema()
    #expect(schema.action(ofRootField: "film")?.kind == .lookup)
    #expect(schema.action(ofRootField: "films_search")?.kind == .search)
    #expect(schema.action(ofRootField: "films_search")?.table == "Film")
    #expect(schema.action(ofRootField: "posters_print_similarity")?.kind == .similarity(column: "print"))
    #expect(schema.action(ofRootField: "rating_upsertMany")?.kind == .mutation(.upsertMany))
    #expect(schema.action(ofRootField: "filmNumbers") == nil)
    #expect(schema.action(ofRootField: "filmNumberss")?.kind == .list)
    #expect(schema.action(ofRootField: "_select") == nil)
  }
}
