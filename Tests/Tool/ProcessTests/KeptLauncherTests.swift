import EventLoop
import ExtensionHosting
import Foundation
import HostServices
import Testing

/// A launcher waits for the next launch where one launch follows another, and no longer than that.
@Suite(.timeLimit(.minutes(2)))
struct `A launcher that a host keeps` {
  private static let widget = "com.example.fixtures.lengthy"

  /// The launchers of this process that wait. In a process of its own, where no other test starts any.
  private static var waiting: [Int32] {
    Processes.running("--standby").filter { Processes.parent(of: $0) == getpid() }
  }

  private static func until(_ count: Int) async -> Int32? {
    while waiting.count != count { await Task.yield() }
    return waiting.first
  }

  @Test func `becomes the next extension's, and ends with the host`() async {
    await #expect(processExitsWith: .success) {
      let stage = try Stage()
      _ = try await stage.update(Self.widget)
      // Nothing is known of a second one yet.
      #expect(Self.waiting.isEmpty)
      _ = try await stage.update(Self.widget)
      let kept = try #require(await Self.until(1))
      let requests = stage.requests
      try await stage.host.withExtension(Self.widget) { widget in
        // It is the parent, or the parent's parent, of what runs now.
        let lines = Processes.running("Lengthy")
        let above = lines.compactMap { Processes.parent(of: $0) }
        #expect((above + above.compactMap { Processes.parent(of: $0) }).contains(kept), "\(kept) \(lines) \(above)")
        _ = try await widget.performUpdate(requests: requests)
      }
      let next = try #require(await Self.until(1))
      #expect(next != kept)
      await stage.host.shutdown()
      #expect(Self.waiting.isEmpty && Processes.zombies.isEmpty)
    }
  }

  @Test func `ends when no launch has come for ten seconds`() async {
    await #expect(processExitsWith: .success) {
      let stage = try Stage()
      for _ in 0..<2 { _ = try await stage.update(Self.widget) }
      let kept = try #require(await Self.until(1))
      await Processes.end(of: kept, within: .seconds(60))
      // Its end is seen before it is reaped.
      _ = await Self.until(0)
      while !Processes.zombies.isEmpty { await Task.yield() }
      _ = try await stage.update(Self.widget)
    }
  }

  @Test func `is left out where the host is to keep none`() async {
    await #expect(processExitsWith: .success) {
      let stage = try Stage(keepsLauncher: false)
      for _ in 0..<3 {
        _ = try await stage.update(Self.widget)
        #expect(Self.waiting.isEmpty)
      }
    }
  }

  @Test func `is not missed when it was killed`() async {
    await #expect(processExitsWith: .success) {
      let stage = try Stage()
      for _ in 0..<2 { _ = try await stage.update(Self.widget) }
      let kept = try #require(await Self.until(1))
      kill(kept, SIGKILL)
      _ = try await stage.update(Self.widget)
      #expect(kill(kept, 0) == -1 || Processes.zombies.isEmpty)
      await stage.host.shutdown()
      #expect(Processes.zombies.isEmpty)
    }
  }
}
