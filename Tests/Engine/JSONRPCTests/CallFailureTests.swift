import JSON
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The failure of a call` {
  private func failure<Result: Decodable & Sendable>(
    _ client: Connection, _ method: String, returning type: Result.Type, deadline: Duration = .seconds(5)
  ) async -> CallFailure? {
    do throws(CallFailure) {
      _ = try await client.attempt(method, Text(text: ""), returning: type, deadline: deadline)
      return nil
    } catch {
      return error
    }
  }

  @Test func `that the peer answered is its word, whatever code it has`() async throws {
    try await withPair { client, _ in
      guard case .answered(let object) = await failure(client, "nothing", returning: Text.self) else {
        Issue.record("the answer is not the peer's")
        return
      }
      #expect(object.code == ErrorObject.methodNotFoundCode)
    }
  }

  @Test func `for an answer of another shape is neither the peer's word nor a finding`() async throws {
    try await withPair { client, _ in
      guard case .misanswered(let object) = await failure(client, "echo", returning: Int.self) else {
        Issue.record("the shape was not looked at")
        return
      }
      #expect(object.code == ErrorObject.protocolViolationCode)
    }
  }

  @Test func `at the deadline is a finding of this side`() async throws {
    try await withPair { client, peer in
      let failure = await failure(client, "stubborn", returning: JSONValue.self, deadline: .milliseconds(20))
      peer.gate.open()
      guard case .found(let object) = failure else {
        Issue.record("the deadline is not this side's")
        return
      }
      #expect(object.code == ErrorObject.deadlineExceededCode)
    }
  }
}
