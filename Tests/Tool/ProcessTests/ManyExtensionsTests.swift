import CLinux
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices
import Testing

/// A host with many extensions alive.
@Suite(.timeLimit(.minutes(2)))
struct `Many extensions` {
  /// In a process of its own: other tests open and close descriptors too.
  @Test func `take five descriptors each, and next to no time while they wait`() async {
    await #expect(processExitsWith: .success) {
      let stage = try Stage()
      try await stage.withAlive(1) {}
      // A loop of the host's own, for all extensions together, may begin at any moment.
      let before = Processes.descriptorsBesideLoops
      let count = 40
      try await stage.withAlive(count) {
        // And two for the launcher that waits for the next launch, or five while it is started.
        #expect((Processes.descriptorsBesideLoops - before) <= 5 * count + 5)
        // Until the folders of all have been counted once more than they were written to.
        await stage.pass(.seconds(3))
        // One percent for 40: a look each quarter of a second at every file of each took eight times as much. On a machine
        // with much else to do the same work takes more time: the best of three counts.
        var used = Duration.seconds(4)
        for _ in 0..<3 where used >= .milliseconds(40) {
          used = min(used, try await stage.processorTime { await stage.pass(.seconds(4)) })
        }
        #expect(used < .milliseconds(40), "\(used)")
      }
      #expect(Processes.zombies.isEmpty && stage.scratchFolders.isEmpty)
    }
  }

  @Test(.enabled(if: Script.isAvailable))
  func `that wait are still ended when they take too much memory`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "sleeper", in: folder, annex: "<key>Limits</key><dict><key>MemoryMiB</key><integer>24</integer></dict>",
      prelude: """
        import threading
        def later():
            time.sleep(3)
            kept = []
            while True:
                kept.append(bytearray(1 << 20))
                time.sleep(0.02)
        threading.Thread(target=later, daemon=True).start()
        """, "show('waits')")
    let stage = try Stage(folder)
    let reason = try await stage.host.withExtension(id) { process in
      // Nothing is said to it meanwhile.
      await process.exit(within: .seconds(30))
    }
    guard case .memory(let used, let ceiling) = reason else { throw UnexpectedSuccess(result: "\(reason)") }
    #expect(ceiling == 24 << 20 && used > ceiling && used < ceiling + (64 << 20))
  }

  /// In a process of its own, whose limit is lowered.
  @Test func `leave enough descriptors to those that run`() async {
    await #expect(processExitsWith: .success) {
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), [rlimit(rlim_cur: 160, rlim_max: 160)])
      let stage = try Stage()
      let lengthy = "com.example.fixtures.lengthy"
      let (error, update) = try await stage.host.withExtension(lengthy) { first in
        try await stage.untilRefused { try await first.performUpdate(requests: stage.requests) }
      }
      #expect(error.code == .limitExceeded, "\(error)")
      #expect(error.message.contains("160 descriptors"), "\(error.message)")
      #expect(error.recovery?.contains("LimitNOFILE") == true)
      // Those that ran have ended, and there is room again; nobody has failed.
      #expect(try await stage.update(lengthy) == update)
      #expect(stage.host.health(of: lengthy).failures.isEmpty)
    }
  }

  /// In a process of its own, whose limits are changed.
  @Test(.enabled(if: Script.isAvailable))
  func `have their own limit of descriptors, and the host all that it may have`() async {
    await #expect(processExitsWith: .success) {
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), [rlimit(rlim_cur: 512, rlim_max: 4096)])
      let folder = try TemporaryFolder()
      let id = try Script.install(
        "limits", in: folder, "import resource\nshow(resource.getrlimit(resource.RLIMIT_NOFILE))")
      let stage = try Stage(folder)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      #expect(limit.rlim_cur == 4096)
      let own = stage.host.configuration.effectiveLimits(of: try stage.registry.launchTarget(id)).descriptors
      #expect("\(try await stage.update(id))".contains("(\(own), \(own))"))
    }
  }
}

extension Stage {
  /// Starts extensions one after the other, and runs the body while all of them live.
  func withAlive(_ count: Int, _ body: @escaping @Sendable () async throws -> Void) async throws {
    if count == 0 { return try await body() }
    try await host.withExtension("com.example.fixtures.lengthy") { _ in try await withAlive(count - 1, body) }
  }

  /// Starts extensions until one is refused, and runs the body then, while the others live.
  func untilRefused<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> (ExtensionError, Value) {
    do {
      return try await host.withExtension("com.example.fixtures.lengthy") { _ in try await untilRefused(body) }
    } catch let error as ExtensionError where error.code == .limitExceeded {
      return (error, try await body())
    }
  }

  /// Lets time pass on the host's clock.
  func pass(_ time: Duration) async { try? await host.loop.sleep(for: time) }

  /// The processor time of this process while the body runs.
  func processorTime(_ body: () async -> Void) async throws -> Duration {
    var (before, after): (UInt64, UInt64) = (0, 0)
    try #require(clinux_process_time(getpid(), &before) == 0)
    await body()
    try #require(clinux_process_time(getpid(), &after) == 0)
    return .nanoseconds(Int64(after - before))
  }
}
