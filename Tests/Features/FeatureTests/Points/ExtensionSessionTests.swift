import AppExtensions
import EventLoop
import ExtensionHosting
import ExtensionRuntime
import ExtensionTesting
import HostServices
import JSON
import JSONRPC
import Synchronization
import Testing

/// A part of a session that counts what it hears, and serves one method.
private final class Listener: SessionFeature {
  struct Count: RemoteMethod {
    static let method = "listener/count"
    struct Result: Codable, Sendable, Equatable { var heard: Int }
  }

  static let notifications = ["listener/heard"]
  private let heard = Mutex(0)

  var count: Int { heard.withLock { $0 } }
  var handlers: [SessionHandler] {
    [SessionHandler(Count.self) { [self] _, _ in Count.Result(heard: count) }]
  }

  func receive(_ message: borrowing IncomingMessage) { heard.withLock { $0 += 1 } }
}

/// A part that hears the same, and would answer in the place of the extension.
private final class Echo: SessionFeature {
  static let notifications = Listener.notifications
  private let heard = Mutex(0)

  var count: Int { heard.withLock { $0 } }
  var handlers: [SessionHandler] {
    [SessionHandler(Chess.Move.self) { _, _ in Chess.Move.Result(square: "echo") }]
  }

  func receive(_ message: borrowing IncomingMessage) { heard.withLock { $0 += 1 } }
}

@Suite(.timeLimit(.minutes(1))) struct `An error that a handler throws` {
  private struct Strange: Error, CustomStringConvertible { let description = "It is odd." }

  @Test func `is told its author unless it says itself what it is`() {
    let line = ThrownError.line(of: Strange(), serving: "chess/move")
    #expect(line == "chess/move threw \(String(reflecting: Strange.self)): It is odd.\n")
    let known: [any Error] = [
      CancellationError(), ErrorObject(code: 1, message: "No."), ExtensionError(.invalidParams, "No."),
    ]
    for error in known { #expect(ThrownError.line(of: error, serving: "chess/move") == nil) }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A session of an extension` {
  private let move = PointHandler(Chess.Move.self) { params, context in .init(square: context.requestID) }
  private static let board: JSONValue = ["requestID": "r", "board": "b"]

  private func offer(
    _ id: String = "first", versions: [String] = ["1.0"], point: ExtensionPoint = Chess.point,
    pointVersion: PointVersion? = nil, permissions: [String: String] = [:]
  ) -> Initialize {
    Initialize(
      protocolVersions: versions, host: Peer(name: "host"),
      extension: .init(id: id, version: nil, point: point, pointVersion: pointVersion, containingApp: nil),
      permissions: permissions, directories: .init(scratch: "", container: "", groups: [:]))
  }

  /// Runs a session, and the host's end of its connection.
  private func withSession(
    points: [ExtensionPointDefinition] = [Chess.definition],
    _ body: (_ host: Connection, _ session: ExtensionSession, _ run: Task<Void, Never>) async throws -> Void
  ) async throws {
    let loop = EventLoop.onThread(name: "session")
    defer { loop.stop() }
    let (host, end) = Connection.pair(on: loop)
    let session = ExtensionSession(connection: end, handlers: [SessionHandler(move)], points: points)
    let serving = Task { await host.run(handler: NoHandler()) }
    let running = Task { await session.run() }
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(host, session, running)) } catch { outcome = .failure(error) }
    await host.close(.finished)
    await end.close(.finished)
    _ = await serving.value
    await running.value
    await host.closeDescriptors()
    await end.closeDescriptors()
    try outcome.get()
  }

  private func initialize(_ host: Connection, _ offer: Initialize) async throws -> Initialize.Result {
    try await host.call(Initialize.method, offer, returning: Initialize.Result.self, deadline: .seconds(30))
  }

  private func refusal(_ host: Connection, _ offer: Initialize) async throws -> ExtensionError? {
    await host.refusal(Initialize.method, try JSONCoding.value(of: offer))
  }

  private func ping(_ host: Connection) async throws {
    let answer = try await host.call(
      Ping.method, Ping(nonce: "n"), returning: Ping.Result.self, deadline: .seconds(30))
    #expect(answer.nonce == "n" && answer.uptimeMs >= 0)
  }

  @Test func `begins once, and serves nothing of its own before`() async throws {
    try await withSession { host, session, _ in
      #expect(await host.refusal(Chess.Move.method, Self.board)?.code == .notInitialized)
      try await ping(host)
      let stranger = try #require(try await refusal(host, offer(versions: ["0.9", "2.0"])))
      #expect(stranger.code == .versionUnsupported && stranger.details["supported"] == ["1.0"])
      #expect(session.parameters == nil)
      #expect(await host.refusal(Chess.Move.method, Self.board)?.code == .notInitialized)
      let result = try await initialize(host, offer())
      #expect(result.protocolVersion == "1.0" && result.pointVersion == PointVersion(1, 1))
      #expect(session.parameters?.extension.id == "first")
      #expect(try await refusal(host, offer("second"))?.code == .alreadyInitialized)
      #expect(session.parameters?.extension.id == "first")
      let answer = try await host.call(
        Chess.Move.method, Self.board, returning: Chess.Move.Result.self, deadline: .seconds(30))
      #expect(answer.square == "r")
    }
  }

  @Test func `tells the version of its point, and refuses a host of before its first`() async throws {
    let two = ExtensionPointDefinition(
      ExtensionPoint("com.example.two"), version: PointVersion(2, 1), shortName: "two", role: "a two",
      plural: "the twos", limits: ExtensionLimits(memoryMiB: 1))
    try await withSession(points: [Chess.definition, two]) { host, session, _ in
      let refused = try #require(try await refusal(host, offer(point: two.point)))
      #expect(refused.code == .versionUnsupported && refused.recovery?.contains("version 2") == true)
      #expect(session.parameters == nil)
      let result = try await initialize(host, offer(point: two.point, pointVersion: PointVersion(2, 0)))
      #expect(result.pointVersion == PointVersion(2, 1))
    }
    try await withSession { host, _, _ in
      let result = try await initialize(host, offer(point: ExtensionPoint("com.example.none")))
      #expect(result.pointVersion == nil)
    }
  }

  @Test func `knows what the user allows as it changes`() async throws {
    try await withSession { host, session, _ in
      func change(_ state: PermissionState) async throws {
        try await host.notify(PermissionsDidChange.method, PermissionsDidChange(name: "network", state: state))
        try await ping(host)
      }
      try await change(.granted)
      _ = try await initialize(host, offer(permissions: ["network": "undecided", "data": "denied"]))
      #expect(session.parameters?.permissions == ["network": "undecided", "data": "denied"])
      try await change(.granted)
      #expect(session.parameters?.permissions == ["network": "granted", "data": "denied"])
      try await change(.denied)
      #expect(session.parameters?.permissions == ["network": "denied", "data": "denied"])
    }
  }

  @Test func `says what it does not serve, with its version where the method is one of its point`() async throws {
    try await withSession { host, _, _ in
      _ = try await initialize(host, offer())
      let own = try #require(await host.refusal("chess/castle", [:]))
      #expect(own.code == .methodNotFound && own.details == ["method": "chess/castle", "has": "1.1"])
      let other = try #require(await host.refusal("chessboard/castle", [:]))
      #expect(other.code == .methodNotFound && other.details.isEmpty)
      try await host.notify("chess/castle", [String: String]())
      try await ping(host)
    }
  }

  @Test func `ends when it is told to, and keeps what it knew`() async throws {
    try await withSession { host, session, run in
      _ = try await initialize(host, offer())
      _ = try await host.call(
        Terminate.method, Terminate(reason: "test", graceMs: 1), returning: Empty.self, deadline: .seconds(30))
      await run.value
      #expect(session.parameters?.extension.id == "first")
    }
  }

  @Test func `has one of each of its parts, which hears its notifications once`() async throws {
    try await withSession { host, session, _ in
      #expect(await host.refusal(Listener.Count.method, [:])?.code == .methodNotFound)
      let listener = session.features.feature(Listener.self)
      #expect(session.features.feature(Listener.self) === listener)
      #expect(await host.refusal(Listener.Count.method, [:])?.code == .notInitialized)
      _ = try await initialize(host, offer())
      for count in 1...2 {
        try await host.notify("listener/heard", [String: String]())
        let answer = try await host.call(
          Listener.Count.method, [String: String](), returning: Listener.Count.Result.self, deadline: .seconds(30))
        #expect(answer.heard == count)
      }
      // A request is no notification, whatever it is called.
      #expect(await host.refusal("listener/heard", [:])?.code == .methodNotFound)
      #expect(listener.count == 2)
    }
  }

  @Test func `passes a notification to each of its parts, and a request to the extension before them`() async throws {
    try await withSession { host, session, _ in
      let (listener, echo) = (session.features.feature(Listener.self), session.features.feature(Echo.self))
      _ = try await initialize(host, offer())
      try await host.notify("listener/heard", [String: String]())
      let answer = try await host.call(
        Chess.Move.method, Self.board, returning: Chess.Move.Result.self, deadline: .seconds(30))
      #expect(answer.square == "r" && listener.count == 1 && echo.count == 1)
    }
  }

  @Test func `writes what a message holds into the log only when it is asked for all of it`() async throws {
    let log = KeptLog()
    try await TestHost(log: log).withExtension(WidgetProbe.self) { process in
      _ = try await process.performUpdate()
      await process.notify(SetTrace(.messages))
      _ = try await process.performUpdate()
    }
    let lines = log.lines.filter { $0.metadata["rpc.method"] == "widget/performUpdate" }
    #expect(lines.count == 1 && lines.first?.metadata["rpc.params"] == nil)
  }
}
