import AppExtensions
import ExtensionHosting
import HostServices
import JSON
import JSONRPC
import Testing

@testable import DataServices
@testable import ExtensionTesting

/// What of a call reaches the server, and what does not.
@Suite(.timeLimit(.minutes(1)))
struct `A call of data` {
  private static let identity = Caller.Identity.testing(permissions: [
    AskedPermission("data", scope: ["movies/default", "movies/admin:read"])
  ])

  private static func host(_ service: DataService) -> TestHost { TestHost(services: [service], consent: .grant) }

  private static func query(_ operation: String = "list", location: String? = nil) -> DataContract.Execute {
    DataContract.Execute(connector: "movies/default", operation: operation, kind: .query, location: location)
  }

  /// The calls that the carrier gets of some calls of an extension, and the refusals.
  private static func calls(
    _ calls: [DataContract.Execute], by carrier: StubCarrier = StubCarrier(location: "us-east4")
  ) async throws -> (calls: [DataCall], refusals: [ExtensionError.Code]) {
    let refusals = try await host(DataService(carrier: carrier)).inWidget(as: identity) { context in
      var refusals: [ExtensionError.Code] = []
      for call in calls {
        do throws(ExtensionError) { _ = try await context.call(call) } catch { refusals.append(error.code) }
      }
      return refusals
    }
    return (carrier.calls, refusals)
  }

  @Test func `has what the extension leaves out from the host`() async throws {
    var asked = Self.query()
    asked.account = "ada"
    asked.cache = DataContract.Cache(storage: .memory, maxAgeMs: 5, maxBytes: 7)
    let call = try #require(try await Self.calls([asked]).calls.first)
    let expected = DataCall(
      app: "com.example.test", service: "movies", connector: "default", location: "us-east4", operation: "list",
      kind: .query, variables: [:], fetchPolicy: .preferCache,
      cache: DataContract.Cache(storage: .memory, maxAgeMs: 5, maxBytes: 7), emulator: nil, account: "ada")
    #expect(call == expected)
  }

  @Test func `changes something at the server, whatever may be cached`() async throws {
    let policies: [DataContract.FetchPolicy?] = [nil, .preferCache, .cacheOnly, .serverOnly]
    let calls = [DataContract.Kind.mutation, .query].flatMap { kind in
      policies.map {
        DataContract.Execute(connector: "movies/default", operation: "a", kind: kind, fetchPolicy: $0)
      }
    }
    let found = try await Self.calls(calls)
    #expect(found.calls.map(\.kind) == calls.map(\.kind))
    #expect(
      found.calls.map(\.fetchPolicy) == [
        .serverOnly, .serverOnly, .serverOnly, .serverOnly, .preferCache, .preferCache, .cacheOnly, .serverOnly,
      ])
  }

  @Test func `names an operation of some plain characters`() async throws {
    let taken = ["a", "!~", String(repeating: "a", count: 256)]
    let refused = ["", "a b", "a\u{7F}", "a\n", "é", String(repeating: "a", count: 257)]
    let found = try await Self.calls((taken + refused).map { Self.query($0) })
    #expect(found.calls.map(\.operation) == taken)
    #expect(found.refusals == Array(repeating: .invalidParams, count: refused.count))
  }

  @Test func `names a location that can be one`() async throws {
    let taken = ["a", "europe-west1", String(repeating: "a", count: 63)]
    let refused = ["", "us east", "us/east", "é", String(repeating: "a", count: 64)]
    let found = try await Self.calls((taken + refused).map { Self.query(location: $0) })
    #expect(found.calls.compactMap(\.location) == taken)
    #expect(found.refusals == Array(repeating: .invalidParams, count: refused.count))
  }

  @Test func `may come back without data`() async throws {
    let outcome = DataContract.Outcome(data: nil, errors: [.init(message: "No.")], source: .cache)
    let carrier = StubCarrier { _ in outcome }
    let found = try await Self.host(DataService(carrier: carrier)).inWidget(as: Self.identity) {
      try await $0.call(Self.query())
    }
    #expect(found == outcome)
  }

  @Test(arguments: [(0, nil), (1, .limitExceeded)] as [(Int, ExtensionError.Code?)])
  func `may come back with 3 MiB, of bytes and not of characters`(more: Int, code: ExtensionError.Code?) async throws {
    // With its quotation marks.
    let text = String(repeating: "é", count: (3 << 19) - 1) + String(repeating: "x", count: more)
    let outcome = DataContract.Outcome(data: .string(text))
    let carrier = StubCarrier { _ in outcome }
    let host = Self.host(DataService(carrier: carrier))
    let refusal = try await host.inWidget(as: Self.identity) { context -> ExtensionError? in
      do throws(ExtensionError) {
        let found = try await context.call(Self.query())
        #expect(found == outcome)
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal?.code == code)
    if code != nil {
      #expect(refusal?.details["limit"] == 3_145_728)
      #expect(refusal?.message == "The result of “list” has more than 3145728 bytes.")
    }
  }

  @Test func `is one of eight on their way, until one of them is answered`() async throws {
    let gate = Gate()
    let carrier = StubCarrier { _ in
      await gate.wait()
      return DataContract.Outcome(data: ["movies": []])
    }
    try await Self.host(DataService(carrier: carrier)).inWidget(as: Self.identity) { context in
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { gate.open() }
        for _ in 0..<8 { group.addTask { _ = try await context.call(Self.query()) } }
        while carrier.calls.count < 8 { await Task.yield() }
        let error = await #expect(throws: ExtensionError.self) { _ = try await context.call(Self.query()) }
        #expect(error?.code == .limitExceeded && error?.details["limit"] == 8)
        gate.open()
        try await group.waitForAll()
      }
      _ = try await context.call(Self.query())
      #expect(carrier.calls.count == 9)
    }
  }

  @Test func `is followed when it reads, and not when it writes`() async throws {
    let carrier = StubCarrier()
    let service = DataService(carrier: carrier)
    service.followed.follow(Self.identity.id)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await service.run() }
      try await Self.host(service).inWidget(as: Self.identity) { context in
        _ = try await context.call(
          DataContract.Execute(connector: "movies/default", operation: "add", kind: .mutation))
        _ = try await context.call(Self.query())
      }
      while carrier.calls.count < 3 { await Task.yield() }
      #expect(carrier.calls.map(\.operation) == ["add", "list", "list"])
    }
  }

  @Test func `needs a server, without which nothing runs`() async throws {
    let service = DataService(carrier: nil)
    try await service.run()
    let connectors = try await Self.host(service).inWidget(as: Self.identity) {
      try await $0.call(DataContract.Connectors()).connectors
    }
    #expect(
      connectors == [
        .init(service: "movies", connector: "default"), .init(service: "movies", connector: "admin"),
      ])
  }

  // MARK: Subscriptions

  @Test func `that subscribes has what the extension says of it`() async throws {
    let carrier = StubCarrier(location: "us-east4", allowsEmulator: true)
    try await Self.host(DataService(carrier: carrier)).inWidget(as: Self.identity) { context in
      var params = DataContract.Subscribe(connector: "movies/admin", operation: "list", variables: ["a": 1])
      params.account = "ada"
      params.emulator = DataContract.Emulator(host: "localhost", port: 1)
      params.location = "europe-west1"
      params.cache = DataContract.Cache(maxAgeMs: 5)
      let stream = try context.stream(try await context.call(params).stream)
      defer { stream.drop() }
      while carrier.calls.isEmpty { await Task.yield() }
      let expected = DataCall(
        app: "com.example.test", service: "movies", connector: "admin", location: "europe-west1", operation: "list",
        kind: .query, variables: ["a": 1], fetchPolicy: .preferCache, cache: DataContract.Cache(maxAgeMs: 5),
        emulator: DataContract.Emulator(host: "localhost", port: 1), account: "ada")
      #expect(carrier.calls == [expected])
    }
  }

  @Test(arguments: [0, 1]) func `that subscribes gets a result as a value up to a size`(more: Int) async throws {
    func outcome(_ count: Int) -> DataContract.Outcome {
      DataContract.Outcome(data: ["text": .string(String(repeating: "x", count: count))])
    }
    let limit = 60 << 10
    let empty = JSONCoding.text(of: try JSONCoding.value(of: outcome(0))).utf8.count
    let sent = outcome(limit - empty + more)
    let carrier = StubCarrier()
    carrier.publish(sent)
    let first = try await Self.host(DataService(carrier: carrier)).inWidget(as: Self.identity) { context in
      let params = DataContract.Subscribe(connector: "movies/default", operation: "list")
      let stream = try context.stream(try await context.call(params).stream)
      defer { stream.drop() }
      var values = stream.makeAsyncIterator()
      return try await values.next()
    }
    let expected: JSONValue = more == 0 ? try JSONCoding.value(of: sent) : ["bytes": 61_441]
    #expect(first == .value(expected))
  }

  @Test func `that subscribes gets the results that came before it failed`() async throws {
    let carrier = StubCarrier()
    carrier.publish(DataContract.Outcome(data: ["a": 1]))
    carrier.publish(DataContract.Outcome(data: ["a": 2]))
    carrier.fail(ExtensionError(.dataFailed, "Gone."))
    let found = try await Self.host(DataService(carrier: carrier)).inWidget(as: Self.identity) { context in
      let params = DataContract.Subscribe(connector: "movies/default", operation: "list")
      let stream = try context.stream(try await context.call(params).stream)
      var last: JSONValue?
      do {
        for try await chunk in stream {
          if case .value(let value) = chunk { last = value["data"] }
        }
        return (last, nil as ExtensionError?)
      } catch {
        return (last, ExtensionError(wrapping: error))
      }
    }
    #expect(found.0 == ["a": 2] && found.1?.code == .dataFailed)
  }
}
