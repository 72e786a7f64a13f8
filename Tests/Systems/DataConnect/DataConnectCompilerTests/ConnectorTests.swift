import DataConnectCompiler
import GraphQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A compiled connector` {
  @Test func `has operations with their variables and rules`() throws {
    let connector = try Fixture.connector(
      """
      query ListFilms($mood: Mood, $limit: Int! = 10, $old: Int @retired(reason: "unused"))
        @auth(level: PUBLIC, insecureReason: "a catalogue")
        @refresh(every: {minutes: 1, seconds: 30})
        @refresh(onMutationExecuted: {operation: "CreateFilm", condition: "true"}) {
        films(where: {mood: {eq: $mood}, minutes: {gt: $old}}, orderBy: {title: ASC}, limit: $limit) { id title }
      }
      mutation CreateFilm($title: String!) @auth(expr: "auth.uid != nil") @transaction @check(expr: "true") @retired {
        film_insert(data: {title: $title})
      }
      """)
    let query = try #require(connector.operation("ListFilms"))
    #expect(query.kind == .query && !query.isTransaction && query.retirement == nil)
    #expect(query.access.grant == .level(.everybody) && query.access.insecureReason == "a catalogue")
    #expect(query.variables.map(\.name) == ["mood", "limit", "old"])
    #expect(query.variables.map(\.isRequired) == [false, false, false])
    #expect(query.variables.last?.retirement?.reason == "unused")
    #expect(
      query.refreshes == [.every(milliseconds: 90_000), .mutation(name: "CreateFilm", condition: "true")])
    let mutation = try #require(connector.operation("CreateFilm"))
    #expect(mutation.kind == .mutation && mutation.isTransaction && mutation.retirement != nil)
    #expect(mutation.access.grant == .expression("auth.uid != nil"))
    #expect(mutation.checks.map(\.message) == ["permission denied"])
    #expect(mutation.variables.first?.isRequired == true)
    #expect(GraphQLPrinter.text(of: try #require(mutation.fields.first).type) == "Film_KeyOutput!")
  }

  @Test func `puts fragments in and fields together`() throws {
    let connector = try Fixture.connector(
      """
      query GetFilm($id: UUID!, $all: Boolean!) @auth(level: USER) {
        film(id: $id) {
          ...Base
          sequel { title }
          ... @include(if: $all) { sequel { id } numbers: filmNumbers_on_film { stars } }
          ... on Film @skip(if: $all) { minutes }
        }
      }
      fragment Base on Film { id title sequel { mood } }
      """)
    let film = try #require(connector.operation("GetFilm")?.fields.first)
    #expect(film.fields.map(\.responseName) == ["id", "title", "sequel", "numbers", "minutes"])
    #expect(film.fields.map(\.isConditional) == [false, false, false, true, true])
    #expect(film.fields[2].fields.map(\.responseName) == ["mood", "title", "id"])
    #expect(film.fields[3].name == "filmNumbers_on_film" && film.fields[3].parent == "Film")
    #expect(film.fields[4].conditions.map(\.expected) == [false])
  }

  @Test func `knows what is redacted and checked`() throws {
    let connector = try Fixture.connector(
      """
      mutation Rename($id: UUID!, $title: String!) @auth(level: USER) @transaction {
        query @redact {
          rating(key: {filmId: $id, visitorUid_expr: "auth.uid"}) @check(expr: "this != null", message: "No rating") {
            stars @check(expr: "this > 3", message: "Too low", optional: true)
          }
        }
        film_update(id: $id, data: {title: $title})
        film_updateMany(where: {id: {eq: $id}}, data: {minutes_update: [{inc: 1}]}) @check(expr: "this == 1")
        film_delete(first: {where: {title: {eq: "x"}}})
      }
      """)
    let fields = try #require(connector.operation("Rename")?.fields)
    #expect(fields.map(\.isRedacted) == [true, false, false, false])
    let rating = try #require(fields.first?.fields.first)
    #expect(rating.checks.map(\.message) == ["No rating"])
    #expect(rating.fields.first?.checks.first?.isOptional == true)
    #expect(fields[2].checks.map(\.expression) == ["this == 1"])
  }

  @Test func `takes what the tutorial of the public tools has`() throws {
    let schema = """
      type Movie @table { title: String! imageUrl: String! genre: String }
      type MovieMetadata @table { movie: Movie! @unique rating: Float releaseYear: Int description: String }
      type User @table(key: "id") { id: String! @default(expr: "auth.uid") username: String! @col(dataType: "varchar(50)") }
      type Review @table(name: "Reviews", key: ["movie", "user"]) {
        id: UUID! @default(expr: "uuidV4()")
        user: User!
        movie: Movie!
        rating: Int
        reviewText: String
        reviewDate: Date! @default(expr: "request.time")
      }
      """
    let connector = try Fixture.connector(
      """
      mutation CreateMovie($title: String!, $genre: String!, $imageUrl: String!) @auth(level: USER_EMAIL_VERIFIED) {
        movie_insert(data: { title: $title, genre: $genre, imageUrl: $imageUrl })
      }
      mutation UpsertUser($username: String!) @auth(level: USER) {
        user_upsert(data: { id_expr: "auth.uid", username: $username })
      }
      mutation AddReview($movieId: UUID!, $rating: Int!, $reviewText: String!) @auth(level: USER) {
        review_upsert(data: { userId_expr: "auth.uid", movieId: $movieId, rating: $rating, reviewText: $reviewText })
      }
      mutation DeleteReview($movieId: UUID!) @auth(level: USER) {
        review_delete(key: { userId_expr: "auth.uid", movieId: $movieId })
      }
      query ListUserReviews @auth(level: USER) {
        user(key: { id_expr: "auth.uid" }) {
          id
          username
          reviews: reviews_on_user { rating reviewDate reviewText movie { id title } }
        }
      }
      query SearchMovie($titleInput: String, $genre: String) @auth(level: PUBLIC) {
        movies(where: { _and: [{ genre: { eq: $genre } }, { title: { contains: $titleInput } }] }) {
          id title metadata: movieMetadata_on_movie { rating releaseYear } users_via_Review { username } _count
        }
      }
      """, schema: schema)
    #expect(connector.operations.count == 6)
    #expect(connector.schema.table("Review")?.columns.map(\.name).contains("id") == true)
    #expect(connector.schema.table("Review")?.key == ["movieId", "userId"])
  }

  @Test func `takes whole rows through variables as far as is allowed`() throws {
    let connector = try Fixture.connector(
      """
      mutation Add($films: [Film_Data!]! @allow(fields: "title mood, ratings_on_film { stars visitorUid }", maxCount: 5))
        @auth(level: USER) {
        film_insertMany(data: $films)
      }
      """)
    let rule = try #require(connector.operation("Add")?.variables.first?.allowed)
    #expect(rule.maxCount == 5)
    #expect(rule.fields?.map(\.name) == ["title", "mood", "ratings_on_film"])
    #expect(rule.fields?.last?.fields.map(\.name) == ["stars", "visitorUid"])
  }

  @Test func `may be empty`() throws {
    #expect(try Fixture.connector("# later\n").operations.isEmpty)
    #expect(ConnectorCompiler.compile([], against: try Fixture.schema()).connector != nil)
  }
}
