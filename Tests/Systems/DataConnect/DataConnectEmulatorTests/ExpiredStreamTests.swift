import JSON
import TestSupport
import Testing

@testable import DataConnectEmulator

/// A stream lives longer than the token that it was opened with.
@Suite(.timeLimit(.minutes(1)))
struct `A stream whose token expires` {
  private static let operations = """
    mutation Tell($text: String!) @auth(level: USER) { note_insert(data: {text: $text}) }
    query Mine @auth(level: USER) @refresh(onMutationExecuted: {operation: "Tell"}) {
      notes(where: {author: {eq_expr: "auth.uid"}}, orderBy: {text: ASC}) { text }
    }
    """

  /// Runs the body with a stream that follows `Mine` as 1 and has its first answer.
  private func follow(
    _ issuer: SignedIssuer, _ body: (TestEmulator, TestStream) async throws -> Void
  ) async throws {
    try await TestEmulator.run(Self.operations, configure: { $0.tokens = issuer.policy() }) { emulator in
      let stream = try await TestStream(emulator, client: .patient)
      try await stream.headers(issuer.token())
      try await stream.subscribe("1", "Mine")
      #expect(try await stream.next()?["data"] == ["notes": []])
      try await body(emulator, stream)
    }
  }

  private func isExpired(_ frame: JSONValue?, _ request: JSONValue) -> Bool {
    frame?["requestId"] == request && frame?["cancelled"] == true && frame?["data"] == .null
      && frame?["errors"]?[0]?["extensions"]?["code"] == "UNAUTHENTICATED"
  }

  @Test func `gets no further answer, and follows again with a new token`() async throws {
    let issuer = try SignedIssuer()
    try await follow(issuer) { emulator, stream in
      _ = try await emulator.mutate("Tell", ["text": "before"], as: issuer.token()).data()
      #expect(try await stream.next()?["data"] == ["notes": [["text": "before"]]])
      issuer.advance(by: 660)
      _ = try await emulator.mutate("Tell", ["text": "secret"], as: issuer.token()).data()
      #expect(isExpired(try await stream.next(), "1"))
      #expect(emulator.emulator.liveQueries.count == 0)
      try await stream.headers(issuer.token())
      try await stream.subscribe("2", "Mine")
      #expect(try await stream.next()?["data"]?["notes"]?.arrayValue?.count == 2)
    }
  }

  @Test func `begins, resumes and executes nothing`() async throws {
    let issuer = try SignedIssuer()
    try await follow(issuer) { emulator, stream in
      issuer.advance(by: 660)
      try await stream.subscribe("2", "Mine")
      #expect(isExpired(try await stream.next(), "2"))
      try await stream.send("3", "execute", ["operationName": "Tell", "variables": ["text": "late"]])
      #expect(isExpired(try await stream.next(), "3"))
      try await stream.send("1", "resume", [:])
      #expect(isExpired(try await stream.next(), "1"))
      let notes = try await emulator.administer("query { notes { text } }")
      #expect(notes["data"] == ["notes": []])
    }
  }

  @Test func `goes on with a token that came in time`() async throws {
    let issuer = try SignedIssuer()
    try await follow(issuer) { emulator, stream in
      issuer.advance(by: 659)
      try await stream.headers(issuer.token())
      // The query knows the caller by its claims: it is executed for the new ones.
      #expect(try await stream.next()?["data"] == ["notes": []])
      issuer.advance(by: 1)
      _ = try await emulator.mutate("Tell", ["text": "news"], as: issuer.token()).data()
      #expect(try await stream.next()?["data"] == ["notes": [["text": "news"]]])
    }
  }
}
