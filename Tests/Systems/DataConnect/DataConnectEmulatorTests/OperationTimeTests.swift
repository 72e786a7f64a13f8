import JSON
import TestPrograms
import Testing

@testable import DataConnectEmulator

/// Where a transaction is begun and ended whatever time is left.
@Suite(.timeLimit(.minutes(1)))
struct `An operation that has no time left` {
  @Test func `says so at its first field, with a transaction and without one`() async throws {
    let operations = """
      mutation AddTwo($title: String!) @auth(level: PUBLIC) @transaction {
        one: movie_insert(data: {title: $title})
        two: movie_insert(data: {title: $title})
      }
      mutation Add($title: String!) @auth(level: PUBLIC) { one: movie_insert(data: {title: $title}) }
      """
    try await TestEmulator.run(operations, configure: { $0.limits.time = .zero }) { emulator in
      for _ in 0..<2 {
        for (name, data) in [("AddTwo", ["one": .null, "two": .null]), ("Add", ["one": .null])] as [(String, JSONValue)]
        {
          let answer = try await emulator.mutate(name, ["title": "late"])
          #expect(answer["data"] == data, "\(answer)")
          #expect(answer.errorMessages.first == "The operation takes too long.", "\(answer)")
          #expect(answer.errorCodes.first == "DEADLINE_EXCEEDED" && answer.errorPaths.first == ["one"], "\(answer)")
        }
      }
    }
  }
}
