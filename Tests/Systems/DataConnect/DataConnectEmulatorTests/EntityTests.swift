import HTTPClient
import JSON
import TestSupport
import Testing

@testable import DataConnectEmulator

@Suite(.timeLimit(.minutes(1)))
struct `A response of the emulator` {
  private static let operations = """
    mutation Add($title: String!) @auth(level: PUBLIC) { movie_insert(data: {title: $title}) }
    mutation Rate($movie: UUID!, $stars: Int!) @auth(level: USER) {
      review_upsert(data: {movieId: $movie, stars: $stars})
    }
    query Get($id: UUID!) @auth(level: PUBLIC) { movie(id: $id) { title } }
    query Whole($id: UUID!) @auth(level: PUBLIC) {
      movie(key: {id: $id}) { id title reviews_on_movie { movieId writer: author stars } }
      movies { id }
      some: movies { title }
    }
    query Renamed($id: UUID!) @auth(level: PUBLIC) {
      movie(id: $id) { name: title }
      movies { id name: title }
    }
    query Hidden($id: UUID!) @auth(level: PUBLIC) { movie(id: $id) { id @redact title } }
    """

  @Test func `says which rows it shows`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let made = try await emulator.mutate("Add", ["title": "A"])
      let id = try #require(made["data"]?["movie_insert"]?["id"])
      let movie = EntityID.text("Movie", ["id": id])
      func note(_ path: JSONValue, _ id: String) -> JSONValue { ["path": path, "entityId": .string(id)] }
      func notes(_ answer: JSONValue) -> [JSONValue] { answer["extensions"]?["dataConnect"]?.arrayValue ?? [] }
      #expect(movie.count == 32)
      #expect(notes(made) == [note(["movie_insert"], movie)])
      let dashed = try #require(id.stringValue).uppercased()
      #expect(notes(try await emulator.query("Get", ["id": .string(dashed)])) == [note(["movie"], movie)])
      let rated = try await emulator.mutate("Rate", ["movie": id, "stars": 5], as: "ann")
      let review = EntityID.text("Review", ["movieId": id, "author": "ann"])
      #expect(notes(rated) == [note(["review_upsert"], review)])
      let whole = try await emulator.query("Whole", ["id": id])
      #expect(
        notes(whole) == [
          note(["movie"], movie), ["path": ["movie", "reviews_on_movie"], "entityIds": [.string(review)]],
          ["path": ["movies"], "entityIds": [.string(movie)]],
        ])
      // Clients that keep rows by the names of their columns would take “name” for one.
      #expect(notes(try await emulator.query("Renamed", ["id": id])) == [])
      let hidden = try await emulator.query("Hidden", ["id": id])
      #expect(hidden["data"] == ["movie": ["title": "A"]])
      #expect(notes(try await emulator.query("Get", ["id": "0123456789abcdef0123456789abcdef"])) == [])
    }
  }

  @Test(arguments: [
    "'; DROP TABLE movie; --", "\"); DELETE FROM movie; --", "$1", "\\", "{\"a\":1}", "\u{0007}", "ÄÖ\u{1F600}", "%_",
    "}}]}", "/* */",
  ])
  func `holds every text as it was written`(text: String) async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let id = try #require(try await emulator.mutate("Add", ["title": .string(text)]).data()["movie_insert"]?["id"])
      #expect(try await emulator.query("Get", ["id": id]).data() == ["movie": ["title": .string(text)]])
    }
  }

  @Test func `of a text with a zero is an error, as the database has none`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let answer = try await emulator.mutate("Add", ["title": "a\u{0}b"])
      #expect(answer.errorPaths == [["movie_insert"]] && answer.errorCodes == ["INVALID_ARGUMENT"])
    }
  }
}
