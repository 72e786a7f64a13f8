import JSONRPC
import ExtensionHosting
import JSON
import Testing

@testable import HostServices
@testable import DataServices

@Suite(.timeLimit(.minutes(1)))
struct `A query that is followed on` {
  private static func call(_ operation: String) -> DataCall {
    DataCall(
      app: "com.example.test", service: "movies", connector: "default", location: "us-east4", operation: operation,
      kind: .query, variables: [:], fetchPolicy: .preferCache, cache: nil, emulator: nil, account: nil)
  }

  private static func data(_ title: String) -> JSONValue { ["movies": [.string(title)]] }

  private func run(_ body: (FollowedQueries, StubCarrier) async throws -> Void) async throws {
    let (followed, carrier) = (FollowedQueries(), StubCarrier())
    followed.follow("widget")
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await followed.run(by: carrier) }
      try await body(followed, carrier)
    }
  }

  @Test func `has changed when what comes is not what the extension got, though that was before`() async throws {
    try await run { followed, carrier in
      carrier.publish(DataContract.Outcome(data: Self.data("new")))
      followed.note(Self.call("list"), Self.data("old"), by: "widget")
      followed.note(Self.call("other"), Self.data("new"), by: "widget")
      while followed.changes(of: "widget") == 0 { await Task.yield() }
      try await carrier.waitForFollowers(2)
      // Both have got it by then: nobody is told twice, or of what is shown.
      carrier.publish(DataContract.Outcome(data: Self.data("new")))
      carrier.publish(DataContract.Outcome(data: Self.data("newer")))
      while followed.changes(of: "widget") < 3 { await Task.yield() }
      #expect(followed.changes(of: "widget") == 3)
      #expect(followed.changes(of: "another") == 0)
    }
  }

  @Test func `has changed, too, when another user is signed in than its own`() async throws {
    try await run { followed, carrier in
      carrier.publish(DataContract.Outcome(data: Self.data("ada's")))
      followed.note(Self.call("list"), Self.data("ada's"), by: "widget")
      try await carrier.waitForFollowers(1)
      carrier.fail(ExtensionError(.interactionRequired, "Another user is signed in."))
      while followed.changes(of: "widget") == 0 { await Task.yield() }
      #expect(followed.changes(of: "widget") == 1 && carrier.followers == 0)
    }
  }

  @Test func `is let go when nobody may have it any more, until it is executed anew`() async throws {
    try await run { followed, carrier in
      followed.follow("other")
      followed.note(Self.call("mine"), nil, by: "widget")
      followed.note(Self.call("both"), nil, by: "widget")
      followed.note(Self.call("both"), nil, by: "other")
      try await carrier.waitForFollowers(2)
      followed.forget("widget")
      try await carrier.waitForFollowers(1)
      followed.note(Self.call("mine"), nil, by: "widget")
      try await carrier.waitForFollowers(2)
    }
  }

  @Test func `gives way to those that were executed later`() async throws {
    try await run { followed, carrier in
      for number in 0..<FollowedQueries.most { followed.note(Self.call("q\(number)"), nil, by: "widget") }
      try await carrier.waitForFollowers(FollowedQueries.most)
      followed.note(Self.call("q0"), nil, by: "widget")
      followed.note(Self.call("one more"), nil, by: "widget")
      while carrier.calls.last != Self.call("one more") { await Task.yield() }
      try await carrier.waitForFollowers(FollowedQueries.most)
      // The second was the oldest: it is followed anew, the first never ended.
      followed.note(Self.call("q1"), nil, by: "widget")
      followed.note(Self.call("q0"), nil, by: "widget")
      while carrier.calls.last != Self.call("q1") { await Task.yield() }
      #expect(carrier.calls.count == FollowedQueries.most + 2)
    }
  }
}
