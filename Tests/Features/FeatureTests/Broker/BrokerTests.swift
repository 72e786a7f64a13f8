import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import JSON
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A broker` {
  static let entitled = Caller.Identity.testing(entitlements: ["weather"])
  let stage = Stage(services: [WeatherService { _ in 9 }, DefaultsService(store: .inMemory())])

  /// What a peer's call is refused with, after the handshake.
  private func refusal(
    _ method: String, _ params: JSONValue, on stage: Stage, as identity: Caller.Identity = Self.entitled
  ) async throws -> ExtensionError? {
    let kept = Kept<ExtensionError?>()
    let peer = PeerProbe(work: { kept.keep(await $0.refusal(method, params)) })
    try await stage.withPeer(peer, identity: identity) { _ = try await $0.call(Ping()) }
    return try #require(kept.value)
  }

  @Test func `lets an embedder's own service answer`() async throws {
    #expect(try await refusal("weather/current", ["place": "Oslo"], on: stage) == nil)
    let host = TestHost(services: [WeatherService { $0 == "Oslo" ? -3.5 : 9 }])
    let answer = try await host.inWidget(as: Self.entitled) { try await $0.call(Weather.Current(place: "Oslo")) }
    #expect(answer.celsius == -3.5)
  }

  @Test(arguments: [
    "weather/tomorrow", "nonsense", "", "weather/", "context/completeRequest", "$/unknown", "rpc.discover",
  ])
  func `answers a method that nobody serves`(method: String) async throws {
    let caught = try await refusal(method, [:], on: stage)
    #expect(caught?.code == .methodNotFound)
    #expect(caught?.message.contains(method) == true)
  }

  @Test func `ignores a notification that nobody serves`() async throws {
    let peer = PeerProbe(work: {
      try await $0.notify("nonsense/happened", JSONValue.object([:]))
      try await $0.notify("defaults/get", JSONValue.object([:]))
    })
    try await stage.withPeer(peer) { process in
      for _ in 0..<2 { _ = try await process.call(Ping()) }
    }
  }

  @Test func `serves nothing before the handshake is over`() async throws {
    let kept = Kept<ExtensionError?>()
    let peer = PeerProbe(early: { kept.keep(await $0.refusal("defaults/all", ["suite": "group.com.example.test"])) })
    try await stage.withPeer(peer) { _ = try await $0.call(Ping()) }
    #expect(try #require(kept.value)?.code == .notInitialized)
  }

  @Test(arguments: ["2.0", "", "1.0.1"])
  func `refuses a protocol version that it did not offer`(version: String) async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      try await stage.withPeer(PeerProbe(version: version)) { _ in Issue.record("The body ran.") }
    }
    #expect(caught?.code == .versionUnsupported)
    #expect(caught?.details["supported"] == ["1.0"])
  }

  @Test(
    arguments: [
      [:], ["suite": 1, "key": "k"], ["suite": "group.com.example.test"], ["suite": .null, "key": "k"], [],
    ] as [JSONValue])
  func `refuses params of another shape`(params: JSONValue) async throws {
    #expect(try await refusal("defaults/get", params, on: stage)?.code == .invalidParams)
  }

  @Test(arguments: ["text", 1, true, .null] as [JSONValue])
  func `refuses params that are neither an object nor an array`(params: JSONValue) async throws {
    #expect(try await refusal("defaults/get", params, on: stage)?.code == .invalidRequest)
  }

  @Test func `names the member that is wrong`() async throws {
    let caught = try await refusal(
      "defaults/setMany", ["suite": "group.com.example.test", "values": ["a": [1, ["b": .null]]]], on: stage)
    #expect(caught?.code == .invalidParams)
    let text = "\(caught?.message ?? "") \(caught?.details ?? [:])"
    #expect(text.contains("values"))
  }

  @Test func `asks for the entitlement that is named like the prefix`() async throws {
    let caught = try await refusal("weather/current", ["place": "Oslo"], on: stage, as: .testing())
    #expect(caught?.code == .permissionDenied)
    #expect(caught?.details["permission"] == "weather")
  }

  @Test func `follows another table when the embedder has one`() async throws {
    var stage = stage
    stage.allowlist = Allowlist([Allowlist.Row("weather/*", [.share], nil, "Weather is for sharing.")])
    #expect(try await refusal("weather/current", ["place": "O"], on: stage)?.code == .pointDisallows)
    #expect(try await refusal("weather/current", ["place": "O"], on: stage, as: .testing(point: .share)) == nil)
  }

  @Test func `does not wait for a service for ever`() async throws {
    var stage = Stage(services: [
      WeatherService { _ in
        await waitForever()
        throw CancellationError()
      }
    ])
    stage.deadlines.service = .milliseconds(20)
    let caught = try await refusal("weather/current", ["place": "Oslo"], on: stage)
    #expect(caught?.code == .deadlineExceeded)
    #expect(caught?.message.contains("weather/current") == true)
  }

  @Test func `gives a caller that would wait longer no more time than the host allows`() async throws {
    var stage = Stage(services: [
      WeatherService { _ in
        await waitForever()
        throw CancellationError()
      }
    ])
    stage.deadlines.service = .milliseconds(20)
    let params: JSONValue = ["place": "Oslo", "_meta": ["deadlineMs": 86_400_000]]
    let caught = try await refusal("weather/current", params, on: stage)
    #expect(caught?.code == .deadlineExceeded)
  }

  @Test func `gives the log nothing secret of what an extension says`() async throws {
    let log = KeptLog()
    let peer = PeerProbe(work: {
      try await $0.notify(
        Log.method,
        Log(level: .notice, message: "GET /?access_token=abcdef", fields: ["X-Auth-Token": "abcdef", "mm": 3]))
    })
    try await Stage(log: log).withPeer(peer) { _ = try await $0.call(Ping()) }
    let line = try #require(log.lines.first { $0.message.hasPrefix("GET") })
    #expect(line.message == "GET /?access_token=<redacted>")
    #expect(line.metadata["X-Auth-Token"] == "<redacted>")
    #expect(line.metadata["mm"] == 3)
  }

  @Test func `passes an error of a service on as it is`() async throws {
    let stage = Stage(services: [
      WeatherService { _ in throw ExtensionError(.init(number: 7, name: "fog"), "Fog.", recovery: "Wait.") }
    ])
    let caught = try await refusal("weather/current", ["place": "Oslo"], on: stage)
    #expect(caught?.code.number == 7)
    #expect(caught?.code.name == "fog")
    #expect(caught?.message == "Fog.")
    #expect(caught?.recovery == "Wait.")
  }

  @Test func `answers for a result that JSON cannot hold`() async throws {
    let stage = Stage(services: [WeatherService { _ in .nan }])
    let caught = try await refusal("weather/current", ["place": "Oslo"], on: stage)
    #expect(caught?.code == .responseUnserialisable)
  }

  @Test func `gives the log what an extension says, under its name`() async throws {
    let log = KeptLog()
    let peer = PeerProbe(work: {
      try await $0.notify(
        Log.method, Log(level: .notice, message: "raining", fields: ["extension.id": "forged", "mm": 3]))
    })
    try await Stage(log: log).withPeer(peer) { _ = try await $0.call(Ping()) }
    let line = try #require(log.lines.first { $0.message == "raining" })
    #expect(line.level == .notice)
    #expect(line.metadata["mm"] == 3)
    #expect(line.metadata["extension.id"] == "com.example.test.extension")
  }

  @Test func `tells services when a caller is gone, once, whether the body throws or not`() async throws {
    struct Stop: Error {}
    for throwing in [false, true] {
      let (gone, continuation) = AsyncStream.makeStream(of: Caller.self)
      let host = TestHost(services: [WeatherService(read: { _ in 9 }, gone: { continuation.yield($0) })])
      do {
        try await host.withExtension(WidgetProbe.self) { _ in if throwing { throw Stop() } }
      } catch is Stop {}
      continuation.finish()
      #expect(await gone.reduce(into: 0) { count, _ in count += 1 } == 1)
    }
  }
}
