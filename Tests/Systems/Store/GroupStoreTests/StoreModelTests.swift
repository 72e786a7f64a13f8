import Synchronization
import TestSupport
import Testing
import Time

@testable import GroupStore

private let suite: SuiteID = "group.a"

/// Random writes, reads and leases, late and repeated ones among them, on a store and on the model of one.
@Suite(.timeLimit(.minutes(2)))
struct `A group store among random calls` {
  private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) | (state << 31)
    }
  }

  /// One sequence of calls.
  private struct Run {
    let backend: any GroupBackend
    let time: @Sendable (Int64) -> Void
    var chance: Chance
    var model = StoreModel()
    /// Every lease that was ever granted.
    var leases: [Lease] = []
    var calls: [String] = []

    /// With keys of one byte and of several, the longest one and one that is longer.
    static let keys = ["a", "é", "👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦é", "b", ""]

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &chance) }
    mutating func key() -> String { Self.keys[number(0...5)] }

    /// - Returns: whether the store did what the model does.
    mutating func step() async throws -> Bool {
      switch number(0...9) {
      case 0...3: return try await write()
      case 4: return try await readDelta()
      case 5: return try await backend.snapshot(suite) == SuiteState(revision: model.revision, entries: model.entries)
      case 6:
        let (name, owner, length) = (["l", "m"][number(0...1)], OwnerID(["a", "b"][number(0...1)]), number(1...3))
        calls.append("acquire \(name) \(owner.name) \(length)")
        let lease = try await backend.acquire(name, owner: owner, for: .nanoseconds(length))
        if let lease { leases.append(lease) }
        return lease == model.acquire(name, owner, until: model.now + Int64(length))
      case 7:
        guard !leases.isEmpty else { return true }
        let (lease, length) = (leases[number(0...(leases.count - 1))], number(1...3))
        calls.append("renew \(lease.name) \(lease.token) \(length)")
        return try await backend.renew(lease, for: .nanoseconds(length))
          == model.renew(lease, until: model.now + Int64(length))
      case 8:
        if number(0...1) == 0, !leases.isEmpty {
          let lease = leases[number(0...(leases.count - 1))]
          calls.append("release \(lease.name) \(lease.token)")
          try await backend.release(lease)
          model.release(lease)
        }
        let holders = [try await backend.holder(of: "l").lease, try await backend.holder(of: "m").lease]
        return holders == [model.holder(of: "l"), model.holder(of: "m")]
      default:
        model.now += 1
        time(model.now)
        calls.append("time")
        return true
      }
    }

    private mutating func write() async throws -> Bool {
      let changes = (0..<number(0...3)).map { _ -> Mutation in
        switch number(0...7) {
        case 0: .removeAll
        case 1, 2: .remove(key())
        default: .set(key(), [UInt8](repeating: 7, count: number(0...6)))
        }
      }
      let conditions = (0..<max(0, number(-2...2))).map { _ -> Condition in
        let key = key()
        return number(0...1) == 0 ? .absent(key) : .revision(key, model.entries[key]?.revision ?? Int64(number(0...2)))
      }
      let fence = number(0...3) == 0 && !leases.isEmpty ? leases[number(0...(leases.count - 1))] : nil
      calls.append("apply \(changes) if \(conditions) under \(fence.map { "\($0.name) \($0.token)" } ?? "nothing")")
      let before = model.revision
      let refusals = model.apply(changes, conditions, fence)
      do {
        let revision = try await backend.apply(suite, changes, require: conditions, fence: fence)
        return refusals.isEmpty && revision == model.revision
      } catch let error as GroupStoreError {
        guard model.revision == before else { return false }
        switch error {
        case .fenced: return refusals.contains(.fenced)
        case .conflict: return refusals.contains(.conflict)
        case .quota: return refusals.contains(.quota)
        default: return false
        }
      }
    }

    /// What has changed since a revision leads from what was there then to what is there now.
    private mutating func readDelta() async throws -> Bool {
      let since = Int64(number(0...(Int(model.revision) + 1)))
      calls.append("delta \(since)")
      switch try await backend.delta(suite, after: since) {
      case .compacted(let through):
        return through == model.revision && (since > model.revision || model.removals > 3)
      case .changed(let changes, let through):
        guard since <= model.revision, through == model.revision else { return false }
        var entries = model.history[Int(since)]
        for change in changes { entries[change.key] = change.bytes }
        let isInOrder = zip(changes, changes.dropFirst()).allSatisfy { $0.revision <= $1.revision }
        return isInOrder && changes.allSatisfy { $0.revision > since } && entries == model.entries.mapValues(\.bytes)
      }
    }
  }

  private func run(_ seeds: ClosedRange<UInt64>, _ make: (BootClock) throws -> any GroupBackend) async throws {
    for seed in seeds {
      let time = Time()
      let clock = BootClock(boot: "this") { time.now.withLock { $0 } }
      var run = Run(
        backend: try make(clock), time: { now in time.now.withLock { $0 = now } }, chance: Chance(state: seed))
      for _ in 0..<60 {
        let isRight = try await run.step()
        #expect(isRight, "seed \(seed): \(run.calls)")
        if !isRight { return }
      }
    }
  }

  /// What a clock says.
  private final class Time: Sendable {
    let now = Mutex<Int64>(1_000)
  }

  @Test func `in memory does what the model does`() async throws {
    try await run(1...500) { InMemoryGroupBackend(limits: StoreModel.limits, clock: $0) }
  }

  @Test func `in a file does what the model does`() async throws {
    let directory = try TemporaryDirectory()
    var number = 0
    try await run(1...40) { clock in
      number += 1
      var options = SQLiteGroupBackend.Options(path: "\(directory.path)/\(number).sqlite")
      options.limits = StoreModel.limits
      options.clock = clock
      return SQLiteGroupBackend(options)
    }
  }
}
