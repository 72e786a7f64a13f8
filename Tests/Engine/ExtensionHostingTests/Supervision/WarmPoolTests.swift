import EventLoop
import ExtensionProtocol
import Synchronization
import Testing

@testable import ExtensionHosting

/// Which processes are kept, given out, taken back and ended.
@Suite(.timeLimit(.minutes(1)))
struct `The pool of kept processes` {
  /// A pool whose processes are none, and which runs while a test does.
  private final class Kept: Sendable {
    let held: HeldInstances
    let pool: WarmPool
    /// What was started, in order.
    private let started = Mutex<[HeldInstances.Held]>([])
    /// The error with which the next starts fail.
    let failure = Mutex<ExtensionError?>(nil)
    let begun = Mutex(0)
    /// Whether what was begun goes on only later.
    let isHeldUp = Mutex(false)

    init(capacity: Int) throws {
      held = try HeldInstances()
      pool = WarmPool(capacity: capacity, loop: held.loop)
    }

    /// The last process that was started of an extension.
    subscript(id: String) -> HeldInstances.Held? {
      started.withLock { $0.last { $0.instance.identity.id == id } }
    }

    func state(_ id: String) async -> LifecycleStateMachine.State? { await self[id]?.state }

    func carryOut(_ order: WarmOrder) async {
      begun.withLock { $0 += 1 }
      await until { !isHeldUp.withLock { $0 } }
      if let failure = failure.withLock({ $0 }) {
        // Without one of its own, it ends as if nothing had been said.
        return failure.code == .shuttingDown ? () : order.finish(throwing: failure)
      }
      let purpose = ExtensionInstance.Purpose.keeping(replaces: order.replaces)
      guard let new = try? await held.launch(order.target, for: purpose) else { return }
      started.withLock { $0.append(new) }
      await pool.add(new.instance, new.process, .reuse, for: order)
      await new.instance.attend()
      await pool.remove(new.instance)
    }

    func running<Value>(_ body: (WarmPool) async throws -> Value) async throws -> Value {
      let task = Task { [self] in await pool.run { await self.carryOut($0) } }
      await until { await pool.isRunning }
      defer { task.cancel() }
      let value = try await body(pool)
      task.cancel()
      await task.value
      return value
    }

    func start(_ ids: String...) async throws { for id in ids { try await pool.start(held.target(id)) } }

    /// One request that goes well.
    func use(_ id: String) async throws {
      let (kept, hasBegun) = try #require(await pool.take(id))
      #expect(hasBegun)
      await pool.finish(kept, stop: nil)
    }
  }

  private static let idle = LifecycleStateMachine.State.terminated(.stopped(.idle))

  private func error(_ body: () async throws(ExtensionError) -> Void) async -> ExtensionError? {
    do throws(ExtensionError) { try await body() } catch { return error }
    return nil
  }

  @Test func `starts nothing while the host is ending`() async throws {
    let kept = try Kept(capacity: 1)
    let (pool, target) = (kept.pool, kept.held.target("a"))
    for _ in 0..<20 {
      let run = Task { await pool.run { await kept.carryOut($0) } }
      await until { await pool.isRunning }
      // Its end has begun, and the pool has not heard of it: nothing can come between the two.
      let error = await error { () throws(ExtensionError) in try await pool.start(target, ending: run) }
      #expect(error?.code == .shuttingDown)
      await run.value
    }
  }

  @Test func `starts nothing before the host runs, and nothing after`() async throws {
    let kept = try Kept(capacity: 1)
    let (pool, target) = (kept.pool, kept.held.target("a"))
    #expect(await !pool.isRunning)
    #expect(await error { () throws(ExtensionError) in try await pool.start(target) }?.code == .shuttingDown)
    try await kept.running { pool in try await pool.start(target) }
    #expect(await !pool.isRunning)
    #expect(await pool.count == 0)
    let one = try #require(kept["a"])
    #expect(one.link.ends.count == 1 && one.link.cleanUps == 1)
    #expect(await error { () throws(ExtensionError) in try await pool.start(target) }?.code == .shuttingDown)
    #expect(kept.begun.withLock { $0 } == 1)
  }

  @Test func `gives a process to one request at a time`() async throws {
    let kept = try Kept(capacity: 2)
    try await kept.running { pool in
      try await kept.start("a")
      #expect(await kept.state("a") == .suspended)
      for _ in 0..<2 {
        #expect(await pool.holds("a"))
        #expect(await !pool.holds("b"))
        #expect(await pool.count == 1)
        #expect(await pool.freeCount == 1)
        let (taken, hasBegun) = try #require(await pool.take("a"))
        #expect(hasBegun && taken.instance === kept["a"]?.instance && taken.rule == .reuse)
        #expect(await kept.state("a") == .running(1))
        #expect(await !pool.holds("a"))
        #expect(await pool.take("a") == nil)
        #expect(await pool.count == 1)
        #expect(await pool.freeCount == 0)
        await pool.finish(taken, stop: nil)
        #expect(await kept.state("a") == .suspended)
      }
      let taken = try #require(await pool.take("a")).kept
      await pool.finish(taken, stop: .timeout)
      #expect(await kept.state("a") == .terminated(.stopped(.timeout)))
      #expect(await pool.count == 0)
      #expect(await pool.take("a") == nil)
      // Another one takes its place.
      try await kept.start("a")
      #expect(await pool.holds("a"))
    }
  }

  @Test func `starts one process for all who want it at once, and counts it before it is there`() async throws {
    let kept = try Kept(capacity: 1)
    let (target, other) = (kept.held.target("a"), kept.held.target("b"))
    try await kept.running { pool in
      for turn in 1...2 {
        kept.isHeldUp.withLock { $0 = true }
        let first = await pool.begin(target)
        await until { kept.begun.withLock { $0 } == turn }
        let second = await pool.begin(target)
        // Whatever was to be done on the loop is done after so many turns.
        for _ in 0..<20 { _ = await pool.count }
        let refused = await error { () throws(ExtensionError) in try await pool.start(other) }
        #expect(refused?.code == .limitExceeded)
        kept.isHeldUp.withLock { $0 = false }
        for start in [first, second] { try await start.value }
        #expect(await pool.count == 1)
        #expect(kept.begun.withLock { $0 } == turn)
        await pool.endFree()
      }
    }
  }

  @Test func `ends the one that was not used for the longest time for another`() async throws {
    for isUsed in [false, true] {
      let kept = try Kept(capacity: 2)
      try await kept.running { pool in
        try await kept.start("a", "b")
        if isUsed { try await kept.use("a") }
        try await kept.start("c")
        #expect(await kept.state("a") == (isUsed ? .suspended : Self.idle))
        #expect(await kept.state("b") == (isUsed ? Self.idle : .suspended))
        #expect(await kept.state("c") == .suspended)
        #expect(await pool.count == 2)
      }
    }
  }

  @Test func `ends none that a request has, and refuses what is too much`() async throws {
    let kept = try Kept(capacity: 1)
    let other = kept.held.target("b")
    try await kept.running { pool in
      try await kept.start("a")
      let taken = try #require(await pool.take("a")).kept
      let refused = await error { () throws(ExtensionError) in try await pool.start(other) }
      #expect(refused?.code == .limitExceeded)
      #expect(refused?.message == "1 processes are kept already, and all are in use.")
      // The next version of one that is there has room beside it.
      try await pool.start(other, replacing: "1.0")
      #expect(kept["b"]?.instance.purpose == .keeping(replaces: "1.0"))
      #expect(await pool.count == 2)
      await pool.finish(taken, stop: nil)
      #expect(await kept.state("a") == .suspended)
      await pool.endFree()
      #expect(await kept.state("a") == Self.idle)
      #expect(await kept.state("b") == Self.idle)
      try await kept.start("b")
    }
  }

  @Test func `ends what is free, and leaves what a request has`() async throws {
    let kept = try Kept(capacity: 3)
    try await kept.running { pool in
      try await kept.start("a", "b", "c")
      let taken = try #require(await pool.take("b")).kept
      await pool.endFree()
      for id in ["a", "c"] { #expect(await kept.state(id) == Self.idle) }
      #expect(await kept.state("b") == .running(1))
      await pool.finish(taken, stop: nil)
      #expect(await pool.holds("b"))
    }
  }

  @Test func `says why a start failed, and tries the next one`() async throws {
    let kept = try Kept(capacity: 1)
    let target = kept.held.target("a")
    try await kept.running { pool in
      for code in [ExtensionError.Code.launchFailed, .shuttingDown] {
        kept.failure.withLock { $0 = ExtensionError(code, "No.") }
        for _ in 0..<2 {
          let failed = await error { () throws(ExtensionError) in try await pool.start(target) }
          #expect(failed?.code == code)
          #expect(failed?.message == (code == .launchFailed ? "No." : "The host ended."))
        }
      }
      kept.failure.withLock { $0 = nil }
      try await pool.start(target)
      #expect(kept.begun.withLock { $0 } == 5)
      #expect(await pool.count == 1)
    }
  }

  @Test func `gives out none that has exited, and ends it once no request has it`() async throws {
    let kept = try Kept(capacity: 2)
    try await kept.running { pool in
      try await kept.start("a", "b")
      let (free, used) = (try #require(kept["a"]), try #require(kept["b"]))
      await free.instance.event(.exited)
      #expect(await pool.take("a") == nil)
      #expect(await pool.count == 1)
      await pool.ended(free.instance)
      await until { free.link.cleanUps == 1 }
      #expect(free.link.ends == [.quit])
      let taken = try #require(await pool.take("b")).kept
      await used.instance.event(.exited)
      await pool.ended(used.instance)
      // Whatever was to be done on the loop is done after so many turns.
      for _ in 0..<20 { _ = await pool.count }
      #expect(used.link.ends == [])
      await pool.finish(taken, stop: nil)
      await until { used.link.cleanUps == 1 }
      #expect(used.link.ends == [.quit])
      // One that lives stays.
      try await kept.start("a")
      await pool.ended(try #require(kept["a"]).instance)
      #expect(await kept.state("a") == .suspended)
    }
  }

  @Test func `begins no request of a process whose files have changed, unless these were refused`() async throws {
    let kept = try Kept(capacity: 1)
    let file = try kept.held.folder.write("program", "one".utf8, mode: 0o755)
    let target = kept.held.target("a", executable: file)
    try await kept.running { pool in
      try await pool.start(target)
      try await kept.use("a")
      for content in ["other", "yet another"] {
        try kept.held.folder.write("program", content.utf8, mode: 0o755)
        let (changed, hasBegun) = try #require(await pool.take("a"))
        #expect(!hasBegun)
        #expect(await kept.state("a") == .suspended)
        await pool.refuse(TargetStamp(target), insteadOf: changed)
        await pool.giveBack(changed, stop: nil)
        try await kept.use("a")
        try await kept.use("a")
      }
      try kept.held.folder.write("program", "the last of all".utf8, mode: 0o755)
      let (changed, hasBegun) = try #require(await pool.take("a"))
      #expect(!hasBegun)
      await pool.giveBack(changed, stop: .update)
      #expect(await kept.state("a") == .terminated(.stopped(.update)))
    }
  }
}

extension WarmPool {
  fileprivate func begin(_ target: LaunchTarget) -> Task<Void, any Error> { Task { try await start(target) } }

  fileprivate func start(_ target: LaunchTarget, ending run: Task<Void, Never>) async throws(ExtensionError) {
    run.cancel()
    try await start(target)
  }
}
