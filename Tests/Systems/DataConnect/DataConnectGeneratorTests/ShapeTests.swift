import DataConnectGenerator
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The struct of a result` {
  @Test func `is shared by equal selections, and has a longer name for others`() throws {
    let text = try Project.operations(Repetition.operations, schema: Repetition.schema)
    #expect(text.matches(of: /struct (Person\w*)/).map { String($0.1) }.count == 4)
    for line in [
      "public var author: Person", "public var editor: Person", "public var reader: PersonReader?",
      "public var translator: Person?",
      "public var first: PersonFirst", "public var last: PersonLast",
    ] { #expect(text.contains("\(line)\n"), "\(line)") }
  }

  @Test func `is named after its type and its alias`() throws {
    let text = try Project.operations(
      """
      query GetMovie($id: UUID!) @auth(level: PUBLIC) {
        movie(id: $id) {
          id title
          metadata: movieMetadata_on_movie { rating }
          mainActors: actors_via_MovieActor { id name }
          reviews: reviews_on_movie { id rating }
        }
      }
      """)
    for line in [
      "public var movie: Movie?", "public var metadata: MovieMetadataMetadata?",
      "public var mainActors: [ActorMainActors]", "public var reviews: [ReviewReviews]",
      "public struct Movie: Decodable, Sendable, Hashable, Equatable, Identifiable {",
      "public struct ActorMainActors: Decodable, Sendable, Hashable, Equatable, Identifiable {",
      // Its key is the movie and the user.
      "public struct ReviewReviews: Decodable, Sendable {",
      "public var actorMainActorsKey: ActorKey {",
    ] { #expect(text.contains("\(line)\n"), "\(line)") }
  }

  @Test func `is identified by the whole key alone`() throws {
    let text = try Project.operations(
      """
      query Reviews($some: Boolean!) @auth(level: PUBLIC) {
        reviews { movieId userId rating }
        parts: reviews { movieId }
        maybe: movies { id @include(if: $some) title }
      }
      """)
    #expect(text.contains("struct Review: Decodable, Sendable, Hashable, Equatable, Identifiable {"))
    #expect(text.contains("public var id: ReviewKey { reviewKey }"))
    #expect(text.contains("struct ReviewParts: Decodable, Sendable {"))
    #expect(text.contains("struct MovieMaybe: Decodable, Sendable {") && text.contains("public var id: UUID?\n"))
  }

  @Test func `has fragments and lacks what is redacted`() throws {
    let text = try Project.operations(
      """
      mutation Rename($id: UUID!, $title: String!) @auth(level: USER) @transaction {
        query @redact { movie(id: $id) @check(expr: "this != null", message: "None") { genre } }
        movie_update(id: $id, data: {title: $title})
        movie_updateMany(where: {id: {eq: $id}}, data: {title: $title})
        movie_insertMany(data: [{title: $title, imageUrl: "a"}])
        movie_delete(id: $id)
      }
      query Films @auth(level: PUBLIC) { movies { ...Short genre @redact } }
      fragment Short on Movie { title views tags }
      """)
    let expected = [
      "public var movie_update: MovieKey?", "public var movie_updateMany: Int",
      "public var movie_insertMany: [MovieKey]",
      "public var movie_delete: MovieKey?", "public var title: String", "public var views: Int64?",
      "public var tags: [String]?",
    ]
    for line in expected { #expect(text.contains("\(line)\n"), "\(line)") }
    #expect(!text.contains("Query?") && !text.contains("genre"))
  }
}
