import ExtensionHosting
import ExtensionProtocol
import HostServices
import Synchronization
import Testing

/// A host that serves many callers at once, and ends in order.
@Suite(.timeLimit(.minutes(3)))
struct `A host of a server` {
  private static let lengthy = "com.example.fixtures.lengthy"
  private static let clock = "com.example.adventures.clock"

  private func stage(_ change: (inout ExtensionHost.Capacity) -> Void = { _ in }) throws -> Stage {
    var capacity = ExtensionHost.Capacity()
    change(&capacity)
    return try Stage(capacity: capacity) { $0.queue = .seconds(100) }
  }

  @Test func `serves hundreds of callers with few processes, and keeps nobody waiting for the others`() async throws {
    let stage = try stage {
      $0.processes = 8
      $0.waiting = 2500
    }
    let running = Shared((now: 0, most: 0))
    let order = Shared<[String]>([])
    let served = try await withThrowingTaskGroup(of: Void.self) { group in
      func ask(_ id: String) {
        group.addTask {
          try await stage.host.withExtension(id) { _ in
            running.withLock {
              $0.now += 1
              $0.most = max($0.most, $0.now)
            }
            order.withLock { $0.append(id) }
            running.withLock { $0.now -= 1 }
          }
        }
      }
      for _ in 0..<600 { ask(Self.lengthy) }
      // Those of one extension wait in line when the first of another comes.
      while await stage.host.metrics().waitingRequests < 300 { await Task.yield() }
      let before = order.withLock { $0.count }
      ask(Self.clock)
      var count = 0
      while try await group.next() != nil { count += 1 }
      let place = try #require(order.withLock { $0.firstIndex(of: Self.clock) })
      // It came after some hundred others of one extension, and was served long before most of them.
      #expect(place - before < 100, "\(place), \(before)")
      return count
    }
    #expect(served == 601)
    #expect(running.withLock { $0.most } <= 8)
    #expect(await stage.host.metrics().waitingRequests == 0)
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `refuses what is too much with the limit`() async throws {
    let stage = try stage {
      $0.processes = 1
      $0.waiting = 3
    }
    let codes = Shared<[ExtensionError]>([])
    try await stage.host.withExtension(Self.lengthy) { _ in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<10 {
          group.addTask {
            do {
              _ = try await stage.update(Self.lengthy)
            } catch {
              codes.withLock { $0.append(ExtensionError(wrapping: error)) }
            }
          }
        }
        // Seven of ten are refused at once; the three that wait are cancelled.
        while codes.withLock({ $0.count }) < 7 { await Task.yield() }
        group.cancelAll()
      }
    }
    let errors = codes.withLock { $0 }
    let refused = errors.filter { $0.code == .limitExceeded }
    #expect(refused.count == 7 && errors.count { $0.code == .cancelled } == 3, "\(errors)")
    #expect(refused.first?.message.contains("3 requests wait already") == true)
    #expect(refused.first?.recovery?.contains("Configuration.capacity") == true)
    #expect(stage.host.health(of: Self.lengthy).failures.isEmpty)
  }

  @Test func `ends in order: open requests finish, new ones are refused, and nothing is left`() async throws {
    let stage = try stage()
    let run = Task { try await stage.host.run() }
    while await !stage.host.isRunning { await Task.yield() }
    try await stage.host.prewarm(Self.clock)
    let open = Flag()
    let goOn = Flag()
    let finished = Task {
      try await stage.host.withExtension(Self.lengthy) { process in
        open.set()
        while !goOn.isSet { await Task.yield() }
        return try await process.performUpdate(requests: stage.requests)
      }
    }
    while !open.isSet { await Task.yield() }
    let cut = Task { await stage.host.shutdown(within: .seconds(30)) }
    while !stage.host.isShuttingDown { await Task.yield() }
    let refusal = await #expect(throws: ExtensionError.self) { try await stage.update(Self.lengthy) }
    #expect(refusal?.code == .shuttingDown)
    await #expect(throws: ExtensionError(.shuttingDown, "")) { try await stage.host.prewarm(Self.clock) }
    goOn.set()
    _ = try await finished.value
    #expect(await cut.value == 0)
    // The host's own work has ended with it.
    try await run.value
    #expect(await stage.host.metrics().alive == 0)
    #expect(await stage.host.keptProcesses == 0 && stage.scratchFolders.isEmpty)
  }

  @Test func `ends what is open when the time is over`() async throws {
    let stage = try stage { $0.processes = 1 }
    let open = Flag()
    let ended = Task {
      try await stage.host.withExtension(Self.lengthy) { process in
        open.set()
        return await process.exit(within: .seconds(60))
      }
    }
    while !open.isSet { await Task.yield() }
    let waits = Task { try await stage.update(Self.clock) }
    while await stage.host.metrics().waitingRequests == 0 { await Task.yield() }
    #expect(await stage.host.shutdown(within: .milliseconds(100)) >= 1)
    #expect(try await ended.value != .unknown)
    let refusal = await #expect(throws: ExtensionError.self) { try await waits.value }
    #expect(refusal?.code == .shuttingDown)
    #expect(await stage.host.metrics().alive == 0)
    // Again is no error.
    #expect(await stage.host.shutdown() == 0)
  }

  @Test func `counts what it does`() async throws {
    let stage = try stage()
    _ = try await stage.update(Self.lengthy)
    #expect(try await stage.failure(of: "com.example.fixtures.crasher").code == .peerExited)
    await #expect(throws: ExtensionError.self) { try await stage.update("com.example.none") }
    let metrics = try await stage.host.withExtension(Self.clock) { clock in
      _ = try await clock.performUpdate(requests: stage.requests)
      return await stage.host.metrics()
    }
    #expect(metrics.alive == 1 && metrics.openRequests == 1 && metrics.kept == 0)
    #expect(metrics.launches.times.count == 3 && metrics.launches.errors == 1)
    #expect(metrics.requestErrors == ["peerExited": 1, "extensionUnknown": 1], "\(metrics.requestErrors)")
    #expect(metrics.failures == [.crashed: 1])
    #expect(metrics.extensions[Self.lengthy]?.requests.times.count == 1)
    #expect(metrics.extensions["com.example.none"] == nil)
    #expect(metrics.bytesReceived > 100 && metrics.bytesSent > 100)
    #expect(metrics.calls["today"].map { $0.times.count >= 5 } == true)
    #expect(metrics.served["today"].map { $0.times.count >= 1 } == true)
    #expect(metrics.descriptors > 5 && metrics.descriptorLimit >= metrics.descriptors)
    #expect(metrics.prometheusText().contains("annex_request_errors_total{code=\"peerExited\"} 1\n"))
  }
}

/// A value that tasks of a test share.
private final class Shared<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { value.withLock { body(&$0) } }
}
