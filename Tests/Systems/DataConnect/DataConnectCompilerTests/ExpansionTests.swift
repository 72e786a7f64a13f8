import DataConnectCompiler
import GraphQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The expansion of a schema` {
  private static let small = """
    enum Mood { DULL BRIGHT }
    type Film @table { title: String! mood: Mood sequel: Film }
    """

  @Test(arguments: ["implicit", "relation", "input", "query", "mutation"])
  func `is written as it is kept`(name: String) throws {
    let files = try Fixture.schema(Self.small).expansionFiles
    let text = try #require(files.first { $0.path == "main/\(name).gql" }).text
    let golden = try Fixture.golden("\(name).gql")
    let lines = zip(text.split(separator: "\n"), golden.split(separator: "\n"))
    if let different = lines.first(where: { $0 != $1 }) { Issue.record("\(different.0)\nis not\n\(different.1)") }
    #expect(text == golden)
  }

  @Test func `has files that are a schema together, in this order`() throws {
    let files = try Fixture.schema().expansionFiles
    #expect(
      files.map(\.path) == [
        "prelude.gql", "main/implicit.gql", "main/relation.gql", "main/input.gql", "main/query.gql",
        "main/mutation.gql",
      ])
    #expect(files.allSatisfy { $0.text.hasSuffix("}\n") && !$0.text.hasPrefix("\n") })
    let sources = files.map { GraphQLSource($0.text, name: $0.path) } + [GraphQLSource(Fixture.films)]
    let schema = try GraphQLSchema(sources)
    #expect(schema.root(.mutation)?.field("film_upsertMany") != nil)
    #expect(schema.directives["allow"] != nil && schema.directives["fdc_generated"] != nil)
    #expect(GraphQLParser.read(sources, limits: .sources).errors.isEmpty)
  }

  @Test func `leaves out files that would be empty`() throws {
    let text = "type Film @table { id: UUID! @default(expr: \"uuidV4()\") }"
    #expect(try !Fixture.schema(text).expansionFiles.contains { $0.path == "main/implicit.gql" })
  }

  @Test func `has what is computed of rows`() throws {
    let schema = try Fixture.schema()
    #expect(
      schema.fields("Film").dropFirst(6) == [
        "id", "sequelId", "films_on_sequel", "ratings_on_film", "filmNumbers_on_film", "poster_on_film",
        "visitors_via_Rating", "_metadata", "_count", "id_count", "minutes_count", "mood_count", "released_count",
        "sequelId_count", "title_count", "minutes_sum", "minutes_avg", "minutes_min", "released_min", "minutes_max",
        "released_max", "_id",
      ])
    #expect(schema.field("minutes_avg", of: "Film") == "(distinct) Float")
    #expect(schema.field("released_max", of: "Film") == "Date")
    #expect(schema.field("_count", of: "Film") == "Int!")
    #expect(!schema.fields("FilmNumbers").contains("_id"))
  }

  @Test func `sorts names by their bytes`() throws {
    let text = "type T @table { gdprConfirmed: Int gdprConfirmedAt: Int gdprConfirmedByUid: Int }"
    let counts = try Fixture.schema(text).fields("T").filter { $0.hasSuffix("_count") && $0.hasPrefix("g") }
    #expect(counts == ["gdprConfirmedAt_count", "gdprConfirmedByUid_count", "gdprConfirmed_count"])
    let data = try Fixture.schema(text).inputs("T_Filter").map { $0.split(separator: ":")[0] }.suffix(3)
    #expect(data == ["gdprConfirmed", "gdprConfirmedAt", "gdprConfirmedByUid"])
    let order = try Fixture.schema("type OrderDraft @table { x: Int } type Order @table { x: Int }").expansionFiles
    let scalars = order.first { $0.path == "main/input.gql" }?.text.split(separator: "\n").filter {
      $0.hasPrefix("scalar")
    }
    #expect(scalars == ["scalar Order_KeyOutput", "scalar OrderDraft_KeyOutput"])
  }

  @Test func `has root fields`() throws {
    let schema = try Fixture.schema()
    #expect(schema.field("film", of: "Query") == "(id, key, first) Film")
    #expect(schema.field("rating", of: "Query") == "(key, first) Rating")
    #expect(schema.field("films", of: "Query") == "(where, orderBy, offset, limit, distinct, having) [Film!]!")
    #expect(
      schema.field("films_search", of: "Query")
        == "(query, queryFormat, relevanceThreshold, where, limit, offset) [Film!]!")
    #expect(
      schema.field("posters_print_similarity", of: "Query")
        == "(compare, compare_embed, method, within, where, limit) [Poster!]!")
    let views = schema.fields("Query").filter { $0.hasPrefix("filmNumbers") }
    #expect(views == ["filmNumberss"])
    #expect(schema.field("film_insert", of: "Mutation") == "(data) Film_KeyOutput!")
    #expect(schema.field("film_upsertMany", of: "Mutation") == "(data) [Film_KeyOutput!]!")
    #expect(schema.field("film_update", of: "Mutation") == "(id, key, first, data) Film_KeyOutput")
    #expect(schema.field("film_updateMany", of: "Mutation") == "(where, all, data) Int!")
    #expect(schema.field("film_delete", of: "Mutation") == "(id, key, first) Film_KeyOutput")
    #expect(schema.field("film_deleteMany", of: "Mutation") == "(where, all) Int!")
    #expect(schema.field("query", of: "Mutation") == "Query")
    #expect(!schema.fields("Mutation").contains { $0.hasPrefix("filmNumbers") })
    let text = try Fixture.schema("type A @table { id: String! }")
    #expect(text.field("a", of: "Query") == "(id, id_expr, key, first) A")
  }

  @Test func `has inputs`() throws {
    let schema = try Fixture.schema()
    #expect(
      schema.inputs("Rating_Data") == [
        "filmId: UUID", "filmId_expr: UUID_Expr", "visitorUid: String", "visitorUid_expr: String_Expr",
        "film: Film_Key", "visitor: Visitor_Key", "stars: Int", "stars_expr: Int_Expr",
        "stars_update: [Int_Update!]", "text: String", "text_expr: String_Expr",
      ])
    #expect(
      schema.inputs("Rating_Key") == [
        "filmId: UUID", "filmId_expr: UUID_Expr", "visitorUid: String", "visitorUid_expr: String_Expr",
      ])
    let days = try Fixture.schema(
      "enum Mood { DULL } type Day @table(key: [\"day\", \"at\", \"mood\"]) { day: Date! at: Timestamp! mood: Mood! }")
    #expect(
      days.inputs("Day_Key") == [
        "day: Date", "day_date: Date_Relative", "day_expr: Date_Expr", "at: Timestamp", "at_expr: Timestamp_Expr",
        "at_time: Timestamp_Relative", "mood: Mood", "mood_expr: Mood_Expr",
      ])
    #expect(
      schema.inputs("Poster_Data") == [
        "id: UUID", "id_expr: UUID_Expr", "filmId: UUID", "filmId_expr: UUID_Expr", "film: Film_Key",
        "print: Vector", "print_embed: Vector_Embed", "seen: Timestamp", "seen_expr: Timestamp_Expr",
        "seen_time: Timestamp_Relative", "seen_update: [Timestamp_Update!]",
      ])
    #expect(
      schema.inputs("Film_Data").suffix(7) == [
        "tags: [String!]", "tags_update: [String_ListUpdate!]", "title: String", "title_expr: String_Expr",
        "films_on_sequel: [Film_Data!]", "ratings_on_film: [Rating_Data!]", "poster_on_film: Poster_Data",
      ])
    #expect(
      schema.inputs("Film_Filter").suffix(7) == [
        "tags: String_ListFilter", "title: String_Filter", "films_on_sequel: Film_ListFilter",
        "ratings_on_film: Rating_ListFilter", "filmNumbers_on_film: FilmNumbers_Filter",
        "poster_on_film: Poster_Filter", "visitors_via_Rating: Visitor_ListFilter",
      ])
    #expect(!schema.inputs("Film_Order").contains { $0.hasPrefix("tags") })
    #expect(schema.inputs("Film_Order").contains("sequel: Film_Order"))
    #expect(schema.graphQL.type("FilmNumbers_Data") == nil && schema.graphQL.type("FilmNumbers_Key") == nil)
  }
}
