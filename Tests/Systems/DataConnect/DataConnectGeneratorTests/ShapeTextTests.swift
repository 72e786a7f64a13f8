import Testing

@testable import DataConnectGenerator

/// Whether a struct knows its row, and what its members are called then.
@Suite(.timeLimit(.minutes(1)))
struct `The key of a result's struct` {
  private func text(_ selection: String) throws -> String {
    try Project.operations(
      """
      query one($some: Boolean! = true) @auth(level: USER) {
        \(selection) more: movies(limit: 1) { genre @include(if: $some) }
      }
      """)
  }

  private static let keyed = ": Decodable, Sendable, Hashable, Equatable, Identifiable {\n"
  private static let plain = ": Decodable, Sendable {\n"

  @Test func `has another name where a field has its own`() throws {
    let text = try text("movies { id title movieKey: genre }")
    #expect(text.contains("    public struct Movie\(Self.keyed)"))
    #expect(text.contains("      public var movieKey: String?\n"))
    #expect(text.contains("      public var movieKey2: MovieKey {\n        .init(id: self.id)\n      }\n"))
    #expect(text.contains("        left.movieKey2 == right.movieKey2\n"))
    #expect(text.contains("hash(into hasher: inout Hasher) { hasher.combine(movieKey2) }\n"))
  }

  @Test func `is the id where no field is called so`() throws {
    let text = try text("movies { key: id title }")
    #expect(text.contains("    public struct Movie\(Self.keyed)"))
    #expect(text.contains("      public var movieKey: MovieKey {\n        .init(id: self.key)\n      }\n"))
    #expect(text.contains("      public var id: MovieKey { movieKey }\n"))
  }

  @Test func `is beside an id that is another field`() throws {
    let text = try text("reviews { movieId userId id: rating }")
    #expect(text.contains("    public struct Review\(Self.keyed)"))
    #expect(text.contains("      public var id: Int?\n"))
    #expect(text.contains("        .init(movieId: self.movieId, userId: self.userId)\n"))
    #expect(!text.contains("public var id: ReviewKey"))
  }

  @Test(arguments: [
    ("reviews { movieId userId id: movie { title } }", "Review"), ("reviews { movieId rating }", "Review"),
    ("reviews { userId rating }", "Review"), ("movies { id: title }", "Movie"),
    ("movies { id @redact title }", "Movie"),
    ("movies { id @skip(if: $some) title }", "Movie"), ("movies { title }", "Movie"),
  ])
  func `is none where a part of it is absent, or the id is no value`(selection: String, name: String) throws {
    let text = try text(selection)
    #expect(text.contains("    public struct \(name)\(Self.plain)"), "\(text)")
    #expect(!text.contains("public var \(name.lowercased())Key"))
  }

  @Test func `is named after the struct, which is named after the alias`() throws {
    let text = try text("best: movies { id } movies { id } Movie: movies { id title }")
    for name in ["MovieBest", "Movie", "MovieMovie"] {
      // The alias that is called as the type takes the name.
      let isTaken = name == "Movie"
      #expect(text.contains("public struct \(name)\(Self.keyed)") == !isTaken, "\(name)")
    }
    #expect(text.contains("      public var movieBestKey: MovieKey {\n"))
    #expect(text.contains("    public var best: [MovieBest]\n"))
    #expect(text.contains("    public var movies: [MovieMovies]\n"))
    #expect(text.contains("    public var Movie: [MovieMovie]\n"))
  }

  @Test func `of a field that may be left out is of one that may be absent`() throws {
    let text = try text("movies @include(if: $some) { id title } users { id username @skip(if: $some) }")
    #expect(text.contains("    public var movies: [Movie]?\n"))
    #expect(text.contains("      public var title: String\n"))
    #expect(text.contains("    public var users: [User]\n"))
    #expect(text.contains("      public var username: String?\n"))
    #expect(text.contains("    public struct MovieMore\(Self.plain)"))
  }

  @Test func `has words of Swift in back quotes, and codes them as the response has them`() throws {
    let text = try text("movies { self: id class: title in: genre }")
    #expect(text.contains("      public var self_: UUID\n"))
    #expect(text.contains("      public var `class`: String\n"))
    #expect(
      text.contains(
        """
              private enum CodingKeys: String, CodingKey {
                case self_ = "self"
                case `class` = "class"
                case `in` = "in"
              }

        """))
    #expect(text.contains("        .init(id: self.self_)\n"))
    // Where no name differs there is nothing to say.
    let other = try self.text("movies { id class: title }")
    #expect(!other.contains("private enum CodingKeys: String, CodingKey {\n        case id"))
  }

  @Test func `is of a struct that is called by its type inside of another`() throws {
    let text = try text(
      "reviews { movie { id title } user { id } movieId } a: movies { title id } b: movies { id title }")
    #expect(text.contains("    public var a: [MovieA]\n") && text.contains("    public var b: [MovieB]\n"))
    #expect(text.contains("      public var movie: Movie\n"))
    #expect(text.split(separator: "struct Movie: ").count == 2)
    #expect(text.contains("      public var user: User\n"))
  }
}
