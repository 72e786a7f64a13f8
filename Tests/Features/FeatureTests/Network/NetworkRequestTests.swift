import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HTTPServer
import HostServices
import NetworkServices
import Testing

/// What is fetched for a user's request, whose process lives on.
@Suite(.timeLimit(.minutes(1)))
struct `A fetch and the request that it is for` {
  private static let identity = Caller.Identity.testing(
    point: .action, permissions: [AskedPermission("network", scope: ["127.0.0.1:*"])])

  /// More than all that waits anywhere between the server and the reader.
  private static let large = [UInt8](repeating: 7, count: 1 << 20)

  /// Answers `/never` when the gate opens, and tells when it is asked.
  private static func server(_ gate: Gate, _ arrived: AsyncStream<Void>.Continuation) -> HTTPServer {
    HTTPServer { request in
      guard request.path == "/never" else { return ServerResponse(body: large) }
      arrived.yield()
      await gate.wait()
      return ServerResponse(status: 500)
    }
  }

  /// Runs the body with a running action and a server.
  private func withAction(
    _ perform:
      @escaping @Sendable (_ context: ExtensionContext, _ url: String, _ arrivals: AsyncStream<Void>) async throws
      -> Void,
    _ body: @Sendable (ExtensionProcess, RequestService) async throws -> Void
  ) async throws {
    let requests = RequestService()
    let gate = Gate()
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    try await Self.server(gate, arrived).withRunning { address in
      defer { gate.open() }
      let performing: ActionProbe.Perform = { items, context in
        try await perform(context, address.url, arrivals)
        return items
      }
      try await ActionProbe.$performing.withValue(performing) {
        try await TestHost(services: [requests, NetworkService()], consent: .grant).withExtension(
          ActionProbe.self, identity: Self.identity
        ) { try await body($0, requests) }
      }
    }
  }

  private static func error(_ body: () async throws -> Void) async -> ExtensionError? {
    do {
      try await body()
      return nil
    } catch {
      return ExtensionError(wrapping: error)
    }
  }

  @Test func `end together when the request is completed`() async throws {
    let (errors, ended) = AsyncStream.makeStream(of: ExtensionError?.self)
    try await withAction { context, url, arrivals in
      let streamed = try await context.fetchBytes(url)
      Task {
        ended.yield(await Self.error { _ = try await context.fetch("\(url)/never") })
        var iterator = streamed.makeAsyncIterator()
        ended.yield(await Self.error { while try await iterator.next() != nil {} })
        ended.yield(await Self.error { _ = try await context.fetch(url) })
        ended.finish()
      }
      for await _ in arrivals { break }
    } _: { process, requests in
      _ = try await process.perform([], requests: requests)
      var codes: [ExtensionError.Code?] = []
      for await error in errors { codes.append(error?.code) }
      #expect(codes == [.cancelled, .cancelled, .requestUnknown])
    }
  }

  @Test func `end together when the request is withdrawn`() async throws {
    let (errors, ended) = AsyncStream.makeStream(of: ExtensionError?.self)
    let (starts, started) = AsyncStream.makeStream(of: Void.self)
    try await withAction { context, url, arrivals in
      // A task that does not hear of the withdrawal by itself.
      Task {
        ended.yield(await Self.error { _ = try await context.fetch("\(url)/never") })
        ended.finish()
      }
      for await _ in arrivals { break }
      started.yield()
      await waitForever()
    } _: { process, requests in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = try? await process.perform([], requests: requests) }
        for await _ in starts { break }
        group.cancelAll()
      }
      var codes: [ExtensionError.Code?] = []
      for await error in errors { codes.append(error?.code) }
      #expect(codes == [.cancelled])
    }
  }

  @Test func `outlive its completion together for work that was announced`() async throws {
    let (sizes, done) = AsyncStream.makeStream(of: Int.self)
    try await withAction { context, url, _ in
      let streamed = try await context.fetchBytes(url)
      context.afterCompletion {
        var size = 0
        do { for try await bytes in streamed { size += bytes.count } } catch { size = -1 }
        done.yield(size)
        done.yield((try? await context.fetchBytes(url))?.status ?? -1)
        done.finish()
      }
    } _: { process, requests in
      _ = try await process.perform([], requests: requests)
      var all: [Int] = []
      for await size in sizes { all.append(size) }
      #expect(all == [Self.large.count, 200])
    }
  }

  @Test func `are another extension's no more than one that never was`() async throws {
    let requests = RequestService()
    let error = try await TestHost(services: [requests, NetworkService()], consent: .grant).inWidget(
      as: .testing(permissions: [AskedPermission("network", scope: ["127.0.0.1:*"])]), requests: requests
    ) { context in
      await #expect(throws: ExtensionError.self) {
        try await context.fetch(Network.Fetch(url: "http://127.0.0.1:1/", requestID: "guessed"))
      }
    }
    #expect(error?.code == .requestUnknown)
  }
}
