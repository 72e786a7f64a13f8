import ExtensionHosting
import HostServices
import JSON
import JSONRPC
import Testing

@testable import DataServices

/// What counts as a change of what an extension has got.
@Suite(.timeLimit(.minutes(1)))
struct `A change of a query that is followed` {
  private static func call(_ operation: String) -> DataCall {
    DataCall(
      app: "com.example.test", service: "movies", connector: "default", location: "us-east4", operation: operation,
      kind: .query, variables: [:], fetchPolicy: .preferCache, cache: nil, emulator: nil, account: nil)
  }

  private func run(_ carrier: StubCarrier, _ body: (FollowedQueries) async throws -> Void) async throws {
    let followed = FollowedQueries()
    followed.follow("widget")
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await followed.run(by: carrier) }
      try await body(followed)
    }
  }

  @Test func `is none of an extension that is not followed`() async throws {
    let carrier = StubCarrier()
    carrier.publish(DataContract.Outcome(data: ["a": 1]))
    try await run(carrier) { followed in
      followed.note(Self.call("strange"), nil, by: "stranger")
      followed.note(Self.call("own"), nil, by: "widget")
      while followed.changes(of: "widget") == 0 { await Task.yield() }
      #expect(carrier.calls == [Self.call("own")])
      #expect(followed.changes(of: "stranger") == 0)
    }
  }

  @Test func `is still counted when the extension is followed a second time`() async throws {
    let carrier = StubCarrier()
    carrier.publish(DataContract.Outcome(data: ["a": 1]))
    try await run(carrier) { followed in
      followed.note(Self.call("own"), nil, by: "widget")
      while followed.changes(of: "widget") == 0 { await Task.yield() }
      followed.follow("widget")
      #expect(followed.changes(of: "widget") == 1)
    }
  }

  @Test func `is for each extension that has got something else`() async throws {
    let carrier = StubCarrier()
    try await run(carrier) { followed in
      followed.follow("other")
      followed.note(Self.call("own"), ["a": 1], by: "widget")
      followed.note(Self.call("own"), ["a": 2], by: "other")
      try await carrier.waitForFollowers(1)
      carrier.publish(DataContract.Outcome(data: ["a": 2]))
      while followed.changes(of: "widget") == 0 { await Task.yield() }
      #expect(followed.changes(of: "other") == 0 && followed.changes(of: "widget") == 1)
      // From now on a change counts from what was executed last.
      followed.note(Self.call("own"), ["a": 3], by: "other")
      carrier.publish(DataContract.Outcome(data: ["a": 3]))
      while followed.changes(of: "widget") == 1 { await Task.yield() }
      #expect(followed.changes(of: "other") == 0 && followed.changes(of: "widget") == 2)
      #expect(carrier.calls == [Self.call("own")])
    }
  }

  @Test func `is that of a result to none, and none of none to none`() async throws {
    let carrier = StubCarrier()
    carrier.publish(DataContract.Outcome(data: nil))
    carrier.publish(DataContract.Outcome(data: ["a": 1]))
    carrier.publish(DataContract.Outcome(data: nil))
    try await run(carrier) { followed in
      followed.note(Self.call("own"), nil, by: "widget")
      while followed.changes(of: "widget") < 2 { await Task.yield() }
      carrier.publish(DataContract.Outcome(data: nil))
      carrier.publish(DataContract.Outcome(data: ["a": 1]))
      while followed.changes(of: "widget") < 3 { await Task.yield() }
      #expect(followed.changes(of: "widget") == 3)
    }
  }

  @Test func `is none where it ends before the server has said anything, or for another reason than its user`()
    async throws
  {
    let data: JSONValue = ["a": 1]
    let another = ExtensionError(.interactionRequired, "Another user is signed in.")
    for (outcome, error) in [
      (nil, another), (DataContract.Outcome(data: data, source: .cache), another),
      (DataContract.Outcome(data: data), ExtensionError(.dataFailed, "The server is gone.")),
    ] as [(DataContract.Outcome?, ExtensionError)] {
      let carrier = StubCarrier()
      if let outcome { carrier.publish(outcome) }
      carrier.fail(error)
      try await run(carrier) { followed in
        // Once it has ended it is followed again with the next execution.
        while carrier.calls.count < 3 {
          followed.note(Self.call("own"), data, by: "widget")
          await Task.yield()
        }
        #expect(followed.changes(of: "widget") == 0, "\(error.code)")
      }
    }
  }

  @Test func `is no longer counted of what an extension has forgotten`() async throws {
    let carrier = StubCarrier()
    try await run(carrier) { followed in
      followed.follow("other")
      followed.note(Self.call("own"), nil, by: "widget")
      followed.note(Self.call("own"), nil, by: "other")
      try await carrier.waitForFollowers(1)
      followed.forget("widget")
      carrier.publish(DataContract.Outcome(data: ["a": 1]))
      while followed.changes(of: "other") == 0 { await Task.yield() }
      #expect(followed.changes(of: "widget") == 0 && carrier.followers == 1)
    }
  }
}
