import ConfigurationFiles
import EventLoop
import Foundation
import HTTPClient
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing

@testable import TokenBroker

private let one = ["api://one/Read"]

/// Holds every request until it is let go.
private final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, arrived: Int, waiting: [CheckedContinuation<Void, Never>])>((false, 0, []))

  var arrived: Int { state.withLock { $0.arrived } }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        state.arrived += 1
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

@Suite(.timeLimit(.minutes(2)))
struct `A refresh` {
  private func gated(_ server: FakeServer, _ gate: Gate, _ place: BrokerPlace) -> TokenBroker {
    let transport: AuthTransport = { request throws(HTTPError) in
      await gate.pass()
      return try await server.transport(request)
    }
    return TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
  }

  @Test(arguments: [false, true]) func `is made once for a hundred callers`(runs: Bool) async throws {
    let server = FakeServer { _, _ in .json(grantBody("at-2")) }
    let (place, gate) = (try BrokerPlace(server), Gate())
    try await place.signIn()
    place.clock.advance(by: 4000)
    let broker = gated(server, gate, place)
    let tokens = try await withThrowingTaskGroup(of: Secret?.self) { group in
      if runs {
        group.addTask {
          await broker.run()
          return nil
        }
        while await broker.jobs == nil { await Task.yield() }
      }
      for _ in 0..<100 { group.addTask { try await broker.token(scopes: one).secret } }
      while await broker.flights.values.first?.count != (runs ? 100 : 99) { await Task.yield() }
      gate.open()
      var tokens: [Secret] = []
      for try await token in group {
        if let token { tokens.append(token) }
        if tokens.count == 100 { group.cancelAll() }
      }
      return tokens
    }
    #expect(tokens.count == 100 && tokens.allSatisfy { $0 == Secret("at-2") })
    #expect(server.asked.count == 1)
  }

  @Test func `that fails is one failure for all who waited`() async throws {
    let server = FakeServer { _, _ in .raw("", status: 500) }
    let (place, gate) = (try BrokerPlace(server), Gate())
    try await place.signIn()
    place.clock.advance(by: 4000)
    let broker = gated(server, gate, place)
    let kinds = await withTaskGroup(of: AuthError.Kind?.self) { group in
      for number in 0..<20 {
        group.addTask {
          do throws(AuthError) {
            _ = try await broker.token(scopes: number < 10 ? one : ["api://two/Read"])
            return nil
          } catch { return error.kind }
        }
      }
      while await broker.flights.values.first?.count != 19 { await Task.yield() }
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(kinds.count == 20 && kinds.allSatisfy { $0 == .serverUnavailable })
    #expect(server.asked.count == 1)
  }

  @Test func `that is on its way answers nobody who may have less of it, or wants other scopes`() async throws {
    let wide = "openid api://one/Read api://one/Write"
    let server = FakeServer { _, form in
      let isTwo = form["scope"]?.contains("api://two") == true
      return .json(isTwo ? grantBody("two", scope: "openid api://two/Read") : grantBody("wide", scope: wide))
    }
    let (place, gate) = (try BrokerPlace(server), Gate())
    try await place.signIn()
    place.clock.advance(by: 4000)
    let broker = gated(server, gate, place)
    let limit = TokenLimit([try ScopeList(one)])
    @Sendable func outcome(_ scopes: [String], _ limit: TokenLimit? = nil) async -> String {
      do throws(AuthError) {
        return try await broker.token(scopes: scopes, limit: limit).secret.revealed()
      } catch { return error.kind.rawValue }
    }
    let outcomes = await withTaskGroup(of: String.self) { group in
      group.addTask { "1 \(await outcome(one))" }
      while gate.arrived == 0 { await Task.yield() }
      group.addTask { "2 \(await outcome(one, limit))" }
      group.addTask { "3 \(await outcome(["api://two/Read"]))" }
      group.addTask { "4 \(await outcome(one))" }
      while await broker.flights.values.first?.count != 3 { await Task.yield() }
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.sorted() == ["1 wide", "2 excessiveScopes", "3 two", "4 wide"])
    #expect(server.asked.count == 3)
  }

  @Test func `keeps what the server gave, whoever has gone meanwhile`() async throws {
    let server = FakeServer { _, _ in .json(grantBody("at-2", refresh: "rt-2")) }
    let (place, gate) = (try BrokerPlace(server), Gate())
    try await place.signIn()
    let broker = gated(server, gate, place)
    await withDiscardingTaskGroup { group in
      group.addTask { _ = try? await broker.token(scopes: one, forceRefresh: true) }
      while gate.arrived == 0 { await Task.yield() }
      group.cancelAll()
      gate.open()
    }
    let identity = broker.identity("u1.t1")
    #expect(try await place.cache.contents().refreshToken(of: identity)?.secret == Secret("rt-2"))
  }

  @Test func `in the background keeps nobody waiting, and leaves one who is cancelled`() async throws {
    let server = FakeServer { _, _ in .json(grantBody("at-2")) }
    let (place, gate) = (try BrokerPlace(server), Gate())
    try await place.signIn()
    place.clock.advance(by: 3400)
    let broker = gated(server, gate, place)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await broker.run() }
      while await broker.jobs == nil { await Task.yield() }
      for _ in 0..<10 { #expect(try await broker.token(scopes: one).secret == Secret("at-1")) }
      while gate.arrived == 0 { await Task.yield() }
      let gone = await withTaskGroup(of: AuthError.Kind?.self) { callers in
        callers.addTask {
          do throws(AuthError) {
            _ = try await broker.token(scopes: one, forceRefresh: true)
            return nil
          } catch { return error.kind }
        }
        while await broker.flights.values.first?.isEmpty != false { await Task.yield() }
        callers.cancelAll()
        return await callers.next() ?? nil
      }
      #expect(gone == .cancelled)
      gate.open()
      while await !broker.flights.isEmpty { await Task.yield() }
      #expect(try await broker.token(scopes: one).secret == Secret("at-2"))
      group.cancelAll()
      try await group.waitForAll()
    }
    #expect(server.asked.count == 1)
    #expect(await broker.jobs == nil)
  }

  @Test func `in the background is not begun beside one that somebody waits for`() async throws {
    let server = FakeServer { _, _ in .json(grantBody("at-2")) }
    let (place, gate) = (try BrokerPlace(server), Gate())
    try await place.signIn()
    place.clock.advance(by: 3400)
    let broker = gated(server, gate, place)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await broker.run() }
      while await broker.jobs == nil { await Task.yield() }
      let caller = Task { try await broker.token(scopes: one, forceRefresh: true).secret }
      while gate.arrived == 0 { await Task.yield() }
      #expect(try await broker.token(scopes: one).secret == Secret("at-1"))
      let isKept = await broker.flights.values.first?.count == 1
      #expect(isKept)
      gate.open()
      // Who is forgotten would wait for ever.
      if isKept { #expect(try await caller.value == Secret("at-2")) } else { caller.cancel() }
      while await !broker.flights.isEmpty { await Task.yield() }
      group.cancelAll()
      try await group.waitForAll()
    }
    #expect(server.asked.count == 1)
  }

  @Test func `in the background is not begun at every call for tokens that are always due`() async throws {
    let server = FakeServer { _, _ in .json(grantBody("at-2", lifetime: 60)) }
    let place = try BrokerPlace(server)
    try await place.signIn(grantBody("at-1", refresh: "rt-1", lifetime: 60))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await place.broker.run() }
      while await place.broker.jobs == nil { await Task.yield() }
      for _ in 0..<20 {
        _ = try await place.broker.token(scopes: one)
        while await !place.broker.flights.isEmpty { await Task.yield() }
      }
      #expect(server.asked.count == 1)
      place.clock.advance(by: 10)
      _ = try await place.broker.token(scopes: one)
      while await !place.broker.flights.isEmpty { await Task.yield() }
      #expect(server.asked.count == 2)
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  @Test func `that ends with the broker is no wish of who waits for it`() async throws {
    let place = try BrokerPlace(FakeServer { _, _ in .json(grantBody("at-2")) })
    try await place.signIn()
    let asked = Signal()
    let transport: AuthTransport = { _ throws(HTTPError) in
      asked.send()
      await untilCancelled()
      throw HTTPError(.cancelled, "It was cancelled.", url: "")
    }
    let broker = TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
    let run = Task { await broker.run() }
    while await broker.jobs == nil { await Task.yield() }
    let caller = Task { () -> AuthError.Kind? in
      do throws(AuthError) {
        _ = try await broker.token(scopes: one, forceRefresh: true)
        return nil
      } catch { return error.kind }
    }
    try await asked.wait(past: 0)
    run.cancel()
    #expect(await caller.value == .busy)
    await run.value
  }

  @Test func `in the background that is not begun when that ends is made by who asks next`() async throws {
    let place = try BrokerPlace(FakeServer { _, _ in .json(grantBody("at-2")) })
    try await place.signIn()
    let broker = place.broker
    let scopes = try ScopeList(one)
    for (isEarly, isForced) in [(true, false), (false, false), (false, true), (true, false)] {
      let run = Task { await broker.run() }
      while await broker.jobs == nil { await Task.yield() }
      // A second one has nothing to do.
      await broker.run()
      // What has made one refresh waits for the next.
      #expect(try await broker.token(scopes: one, forceRefresh: true).secret == Secret("at-2"))
      while await !broker.isIdle { await Task.yield() }
      place.clock.advance(by: 10)
      let ask = TokenAsk(identity: broker.identity("u1.t1"), scopes: scopes, isForced: isForced)
      if isEarly {
        #expect(await broker.asksEarly(ask, ending: run) == true)
      } else if isForced {
        let error = await #expect(throws: AuthError.self) { try await broker.asks(ask, ending: run) }
        #expect(error?.kind == .busy)
      } else {
        #expect(try await broker.asks(ask, ending: run).secret == Secret("at-2"))
      }
      await run.value
      #expect(await broker.isIdle)
      #expect(await broker.jobs == nil)
      #expect(try await broker.token(scopes: one, forceRefresh: true).secret == Secret("at-2"))
    }
    #expect(place.server.asked.count == 8)
  }

  /// What the server of the next tests was asked, and which refresh tokens are spent.
  private typealias Spent = (asked: Int, spent: Set<String>, reused: Int)

  /// Four processes before a server that takes every refresh token once.
  private func inFourProcesses(
    _ mode: String, count: Int, check: (Spent, TokenBroker) async throws -> Void
  ) async throws {
    let state = Mutex<Spent>((0, [], 0))
    let handler: HTTPServer.Handler = { request in
      let base = "http://\(request.header("Host") ?? "")"
      if request.method == "GET", let document = FakeKey.document(at: request.path, base: base) {
        return FakeIdentity.json(document)
      }
      let secret = parseForm(request.body)["refresh_token"] ?? ""
      let number = state.withLock { state -> Int? in
        state.asked += 1
        if state.spent.insert(secret).inserted { return state.asked + 1 }
        state.reused += 1
        return nil
      }
      let body = number.map { grantBody("at-\($0)", refresh: "rt-\($0)") } ?? refusalBody("invalid_grant", 70008)
      return ServerResponse(status: number == nil ? 400 : 200, body: Array(JSONCoding.text(of: body).utf8))
    }
    try await HTTPServer(handler: handler).withRunning { address in
      let directory = try TemporaryDirectory()
      let authority = "\(address.url)/tenant"
      let cache = TokenCache(folder: directory.path) { _ in }
      let broker = TokenBroker(
        try IdentityConfiguration(authority: authority, clientID: "client", kind: .native), client: .patient,
        cache: cache)
      let body = grantBody("at-1", refresh: "rt-1", lifetime: 0).objectValue ?? [:]
      let grant = try TokenGrant(ServerReply(status: 200, body: .object(body)), server: "test")
      _ = try await broker.signedIn(grant, username: "ann", asked: .standard)
      let workers = try (0..<4).map { _ in
        try WorkerProcess("TokenWorker", [mode, directory.path, authority, "\(count)"])
      }
      for worker in workers {
        let status = try await onThread { worker.wait() }
        #expect(status == 0)
      }
      try await check(state.withLock { $0 }, broker)
    }
  }

  @Test func `is made once for a hundred callers in four processes`() async throws {
    try await inFourProcesses("ask", count: 25) { spent, broker in
      #expect(spent.asked == 1)
      let token = try await broker.token(scopes: one)
      #expect(token.secret == Secret("at-2"))
    }
  }

  @Test func `spends no refresh token twice, however many processes renew at the same time`() async throws {
    try await inFourProcesses("force", count: 10) { spent, broker in
      #expect(spent.reused == 0 && (10...40).contains(spent.asked))
      let last = try await broker.cache.contents().refreshToken(of: broker.identity("u1.t1"))?.secret.revealed()
      #expect(last.map { !spent.spent.contains($0) } == true)
    }
  }
}

extension TokenBroker {
  fileprivate var isIdle: Bool { flights.isEmpty && queued.isEmpty }

  /// Asks when what makes refreshes has been told to end, and has not ended.
  fileprivate func asks(_ ask: TokenAsk, ending run: Task<Void, Never>) async throws(AuthError) -> AccessToken {
    run.cancel()
    return try await refreshed(ask)
  }

  /// The same for a refresh that nobody waits for.
  fileprivate func asksEarly(_ ask: TokenAsk, ending run: Task<Void, Never>) -> Bool {
    run.cancel()
    return refreshesEarly(ask)
  }
}
