import AppExtensions
import ExtensionHosting
import ExtensionTesting
import JSON
import JSONRPC
import Synchronization
import Testing

/// A feature whose answers are too large for one message.
private enum Bulk: ServiceContract {
  static let name = "bulk"
  static let methods: [any RemoteMethod.Type] = [Fetch.self, Store.self]

  struct Fetch: RemoteMethod {
    static let method = "bulk/fetch"
    struct Result: Codable, Sendable { var streamID: String }
    var bytes: Int
  }

  struct Store: RemoteMethod {
    static let method = "bulk/store"
    struct Result: Codable, Sendable { var bytes: Int }
    var streamID: String
  }
}

private struct BulkService: HostService {
  typealias Contract = Bulk
  let jobs: AsyncStream<(OutgoingStream, Int)>
  let queue: AsyncStream<(OutgoingStream, Int)>.Continuation

  init() { (jobs, queue) = AsyncStream.makeStream() }

  @HandlerBuilder var handlers: [Handler] {
    Handler(Bulk.Fetch.self) { params, caller in
      let stream = try caller.openStream()
      queue.yield((stream, params.bytes))
      return Bulk.Fetch.Result(streamID: stream.id)
    }
    Handler(Bulk.Store.self) { params, caller in
      Bulk.Store.Result(bytes: try await caller.stream(params.streamID).bytes(atMost: 16 << 20).count)
    }
  }

  /// Sends what was asked for, until the test is over.
  func send() async {
    for await (stream, bytes) in jobs {
      try? await stream.send([UInt8](repeating: 7, count: bytes))
      stream.finish()
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `On the wire an extension` {
  private static let entitled = Caller.Identity.testing(entitlements: ["bulk"])

  @Test func `fetches and stores more than a message holds`() async throws {
    let service = BulkService()
    async let sender: Void = service.send()
    let host = TestHost(services: [service])
    let fetched = try await host.inWidget(as: Self.entitled) { context in
      let answer = try await context.call(Bulk.Fetch(bytes: 5 << 20))
      return try await context.stream(answer.streamID).bytes(atMost: 6 << 20)
    }
    #expect(fetched.count == 5 << 20)
    #expect(fetched.last == 7)
    service.queue.finish()
    await sender
    let stored = try await host.inWidget(as: Self.entitled) { context in
      let stream = try context.openStream()
      async let answer = context.call(Bulk.Store(streamID: stream.id))
      try await stream.send([UInt8](repeating: 1, count: 5 << 20))
      stream.finish()
      return try await answer.bytes
    }
    #expect(stored == 5 << 20)
  }

  @Test func `belongs to the request of a user, and so do its calls`() async throws {
    let seen = Kept<MessageMeta?>()
    let service = WeatherService { _ in
      seen.keep(MessageMeta.current)
      return 1
    }
    let trace = try await TestHost(services: [service]).inWidget(as: .testing(entitlements: ["weather"])) { context in
      _ = try await context.call(Weather.Current(place: "Oslo"))
      #expect(MessageMeta.current?.requestID == context.requestID)
      return MessageMeta.current?.trace
    }
    let meta = try #require(seen.value)
    #expect(trace != nil)
    #expect(meta?.trace?.traceID == trace?.traceID)
    #expect(meta?.trace?.spanID != trace?.spanID)
    #expect(meta?.deadlineMs == 30_000)
  }

  @Test func `is answered in the time that it gives, if that is less than the host's`() async throws {
    let stage = Stage(services: [
      WeatherService { _ in
        await waitForever()
        throw CancellationError()
      }
    ])
    let kept = Kept<ExtensionError?>()
    let peer = PeerProbe(work: {
      let params: JSONValue = ["place": "Oslo", "_meta": ["deadlineMs": 10]]
      kept.keep(await $0.refusal("weather/current", params))
    })
    try await stage.withPeer(peer, identity: .testing(entitlements: ["weather"])) { _ = try await $0.call(Ping()) }
    #expect(try #require(kept.value)?.code == .deadlineExceeded)
  }

  @Test func `reports progress to a host that asks, and to no other`() async throws {
    let heard = Mutex<[CallProgress]>([])
    let update: WidgetProbe.Update = { context in
      context.reportProgress(1, total: 2, message: "half")
      return .noData
    }
    try await WidgetProbe.$current.withValue(update) {
      try await TestHost().withExtension(WidgetProbe.self) { process in
        _ = try await process.performUpdate()
        #expect(heard.withLock { $0.isEmpty })
        let update = Today.PerformUpdate(requestID: "r", reason: .visible, displayMode: .compact)
        _ = try await process.connection.call(
          "widget/performUpdate", update, returning: JSONValue.self, deadline: .seconds(20),
          onProgress: { progress in heard.withLock { $0.append(progress) } })
        #expect(heard.withLock { $0 } == [CallProgress(1, total: 2, message: "half")])
      }
    }
  }

  @Test func `writes no more than 16 KiB into a line of the log`() async throws {
    let log = KeptLog()
    let long = String(repeating: "é", count: 20_000)
    let peer = PeerProbe(work: {
      try await $0.notify(Log.method, Log(level: .info, message: long, fields: ["a": .string(long)]))
    })
    try await Stage(log: log).withPeer(peer) { _ = try await $0.call(Ping()) }
    let line = try #require(log.lines.first { $0.message.hasPrefix("é") })
    #expect(line.message.utf8.count == 16 << 10)
    #expect(line.metadata["a"] == nil)
    #expect(line.metadata["log.droppedBytes"]?.integerValue ?? 0 > 40_000)
  }

  @Test func `says what it receives when the host wants to hear`() async throws {
    let log = KeptLog()
    try await TestHost(log: log).withExtension(WidgetProbe.self) { process in
      await process.notify(SetTrace(.verbose))
      _ = try await process.performUpdate()
      await process.notify(SetTrace(.off))
      _ = try await process.performUpdate()
    }
    let lines = log.lines.filter { $0.metadata["rpc.method"] == "widget/performUpdate" }
    #expect(lines.count == 1)
    #expect(lines.first?.level == .trace)
    #expect(lines.first?.metadata["rpc.params"]?["displayMode"] == "compact")
  }
}
