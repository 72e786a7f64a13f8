import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An extension point of a host app's own` {
  private static let host = TestHost(services: [OpeningsService(), RequestService()], points: [Chess.self])

  @Test func `is called by its types, and its extensions call its services`() async throws {
    let square = try await Self.host.withExtension(Player.self) { player in
      try await player.call(Chess.Move(requestID: "r7", board: "e4")).square
    }
    #expect(square == "Opening of e4, r7")
  }

  @Test func `has streams`() async throws {
    let bytes = try await Self.host.withExtension(Player.self) { player in
      let stream = try await player.call(Chess.History()).stream
      return try await player.stream(stream).bytes(atMost: 100)
    }
    #expect(bytes == [1, 2, 3])
  }

  @Test func `knows no methods of another, and nothing is sent`() async throws {
    try await Self.host.withExtension(Player.self) { player in
      let update = Today.PerformUpdate(requestID: "r1", reason: .visible, displayMode: .compact)
      let error = await #expect(throws: ExtensionError.self) { try await player.call(update) }
      #expect(error?.code == .pointDisallows && error?.isClaim == false)
      #expect(error?.message.contains("but of today") == true)
      let begin = Request.Begin(requestID: "r1", point: Chess.point, inputItems: [])
      let refused = await #expect(throws: ExtensionError.self) { try await player.call(begin) }
      #expect(refused?.code == .pointDisallows)
    }
  }

  @Test func `leaves the services of others to others`() async throws {
    struct Curious: PointExtension {
      typealias Point = Chess
      var methods: [PointHandler] {
        [
          PointHandler(Chess.Move.self) { _, context in
            _ = try await context.defaults(suiteName: "group.com.example.test").integer(forKey: "a")
            return .init(square: "")
          }
        ]
      }
    }
    let host = TestHost(services: [OpeningsService(), DefaultsService(store: .inMemory())], points: [Chess.self])
    let error = await #expect(throws: ExtensionError.self) {
      try await host.withExtension(Curious.self) { try await $0.call(Chess.Move(requestID: "", board: "")) }
    }
    #expect(
      error?.code == .pointDisallows && error?.message.contains("Its extensions use the services openings") == true)
    // And what is the players' own is nobody else's.
    let rows = Allowlist(contracts: [Openings.self], points: Features.points.adding([Chess.self]))
    #expect(rows.refusal(method: "openings/find", point: .today, entitlements: ["openings"])?.code == .pointDisallows)
  }

  @Test func `claims no prefix of another's`() async throws {
    enum Impostor: PointContract {
      static let definition = ExtensionPointDefinition(
        ExtensionPoint("com.example.impostor"), shortName: "impostor", role: "an impostor", plural: "the impostors",
        prefix: "widget", limits: ExtensionLimits(memoryMiB: 1))
    }
    let error = await #expect(throws: ExtensionError.self) {
      try await TestHost(points: [Impostor.self]).withExtension(Player.self) { _ in }
    }
    #expect(error?.code == .internalError && error?.message.contains("com.example.impostor") == true)
    #expect(error?.message.contains("com.apple.widget-extension") == true)
  }

  // MARK: Versions

  /// A player that says what a test has it say of its version.
  private static func withPeer(
    _ version: PointVersion?, _ body: (ExtensionProcess) async throws -> Void
  ) async throws {
    var stage = Stage()
    stage.points = [Chess.self]
    try await stage.withPeer(VersionPeer(version: version), identity: .testing(point: Chess.point), body)
  }

  private struct VersionPeer: MessageHandler {
    let version: PointVersion?
    func accept(
      _ message: borrowing IncomingMessage, on connection: Connection
    ) throws(ErrorObject) -> MessageWork? {
      switch message.method {
      case Initialize.method:
        let host = try message.params.decode(Initialize.self).extension.pointVersion
        guard host == PointVersion(1, 1) else { throw .invalidRequest("The host says \(host as Any).") }
        let version = version
        return MessageWork { Reply.encoding(Initialize.Result(protocolVersion: "1.0", pointVersion: version)) }
      case Chess.Explain.method: return MessageWork { Reply.encoding(Chess.Explain.Result(text: "Because.")) }
      default: return nil
      }
    }
  }

  @Test func `may have grown since an extension was built`() async throws {
    for old in [nil, PointVersion(1, 0)] {
      try await Self.withPeer(old) { player in
        #expect(player.pointVersion == PointVersion(1, 0))
        let error = await #expect(throws: ExtensionError.self) { try await player.call(Chess.Explain()) }
        #expect(error?.code == .methodNotFound && error?.details["needs"] == "1.1" && error?.isClaim == false)
      }
    }
    for new in [PointVersion(1, 1), PointVersion(1, 7)] {
      try await Self.withPeer(new) { player in
        let text = try await player.call(Chess.Explain()).text
        #expect(text == "Because.")
      }
    }
  }

  @Test(arguments: [
    (PointVersion(2, 0), "the host has to move"), (PointVersion(0, 9), "com.example.test.extension has to move"),
  ])
  func `does not understand another major version, and says who has to move`(
    version: PointVersion, who: String
  ) async throws {
    let error = await #expect(throws: ExtensionError.self) {
      try await Self.withPeer(version) { _ in Issue.record("The body ran.") }
    }
    #expect(error?.code == .versionUnsupported && error?.message.contains(who) == true, "\(error?.message ?? "")")
  }
}
