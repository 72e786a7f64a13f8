import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An operation at the emulator` {
  private static let operations = """
    mutation Add($title: String!, $year: Int, $genre: Genre) @auth(level: PUBLIC) {
      movie_insert(data: {title: $title, year: $year, genre: $genre})
    }
    query Get($id: UUID!) @auth(level: PUBLIC) { movie(id: $id) { id title year genre views } }
    query List($after: Int) @auth(level: PUBLIC) {
      movies(where: {year: {gt: $after}}, orderBy: {year: ASC}) { title year }
    }
    mutation Look @auth(level: PUBLIC) {
      query { movies(orderBy: {year: ASC}) { title } none: movies(where: {year: {gt: 1980}}) { title } }
    }
    """

  @Test func `writes a row that others read by its key and in lists`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let made = try await emulator.mutate("Add", ["title": "Ä \"quoted\"", "year": 1980, "genre": "DRAMA"])
      let id = try #require(made.data()["movie_insert"]?["id"]?.stringValue)
      #expect(id.count == 32)
      _ = try await emulator.mutate("Add", ["title": "Older", "year": 1970]).data()
      let one = try await emulator.query("Get", ["id": .string(id)])
      #expect(
        one.data()["movie"] == [
          "id": .string(id), "title": "Ä \"quoted\"", "year": 1980, "genre": "DRAMA", "views": "0",
        ])
      #expect(
        try await emulator.query("List").data() == [
          "movies": [["title": "Older", "year": 1970], ["title": "Ä \"quoted\"", "year": 1980]]
        ])
      #expect(
        try await emulator.query("List", ["after": 1975]).data() == [
          "movies": [["title": "Ä \"quoted\"", "year": 1980]]
        ])
      // What is read in a mutation has no identifiers, no checks, and is told all the same.
      #expect(
        try await emulator.mutate("Look").data() == [
          "query": ["movies": [["title": "Older"], ["title": "Ä \"quoted\""]], "none": []]
        ])
    }
  }
}
