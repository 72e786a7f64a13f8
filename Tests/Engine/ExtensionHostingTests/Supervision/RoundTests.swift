import CLinux
import EventLoop
import Glibc
import Sandbox
import Synchronization
import Testing

@testable import ExtensionHosting

private final class Member: Sendable {
  let calls = Mutex(0)
  let signal = Signal()
  func call() {
    calls.withLock { $0 += 1 }
    signal.send()
  }
  var count: Int { calls.withLock(\.self) }
  func wait(for count: Int) async throws {
    while true {
      let seen = signal.count
      if self.count >= count { return }
      try await signal.wait(past: seen)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A round` {
  @Test func `comes by all of its members, again and again, and by none that left`() async throws {
    let loop = EventLoop.onThread(name: "round")
    defer { loop.stop() }
    let round = Round(every: .milliseconds(1), on: loop)
    let (one, other) = (Member(), Member())
    await round.join(one) { one.call() }
    await round.join(other) { other.call() }
    #expect(await round.count == 2)
    try await one.wait(for: 3)
    try await other.wait(for: 3)
    await round.leave(one)
    let left = one.count
    try await other.wait(for: other.count + 3)
    #expect(one.count == left)
    await round.leave(other)
    await round.leave(other)
    #expect(await round.count == 0)
    // The next member begins the round anew.
    await round.join(one) { one.call() }
    try await one.wait(for: left + 2)
  }

  @Test func `does not come by a member that another one sends away`() async throws {
    let loop = EventLoop.onThread(name: "round")
    defer { loop.stop() }
    let round = Round(every: .milliseconds(1), on: loop)
    let (one, other) = (Member(), Member())
    await join(one, other, in: round)
    while one.count + other.count < 3 { await Task.yield() }
    #expect(await round.count == 1)
    #expect(min(one.count, other.count) == 0)
  }

  /// In one turn, so that no round finds one of them alone. Each sends the other away.
  private func join(_ one: Member, _ other: Member, in round: isolated Round) {
    round.join(one) {
      round.assumeIsolated { $0.leave(other) }
      one.call()
    }
    round.join(other) {
      round.assumeIsolated { $0.leave(one) }
      other.call()
    }
  }
}

/// A process that has ended and is not reaped: its time stands still.
private final class StillProcess {
  let pid: Int32
  let time: UInt64
  private(set) var isReaped = false

  init() throws {
    let process = try LaunchPlan.unsafeNoSandbox(executable: "/bin/true", arguments: []).spawn()
    pid = process.pid
    var information = siginfo_t()
    try #require(waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) == 0)
    var time: UInt64 = 0
    try #require(clinux_process_time(pid, &time) == 0)
    self.time = time
  }

  deinit { reap() }

  func reap() {
    guard !isReaped else { return }
    waitpid(pid, nil, 0)
    isReaped = true
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A quiet round` {
  private let loop = EventLoop.onThread(name: "quiet-round")

  /// Runs the body on the loop, so that no pass comes between.
  private func at(_ round: QuietRound, _ body: @escaping @Sendable (isolated QuietRound) -> Void) async {
    await body(round)
  }

  @Test func `calls who has run, once, and leaves the others alone`() async throws {
    defer { loop.stop() }
    let still = try StillProcess()
    let round = QuietRound(every: .milliseconds(1), on: loop)
    let (waits, runs) = (Member(), Member())
    await round.join(waits, process: still.pid, time: still.time) { waits.call() }
    for turn in 1...3 {
      // This process has used more than nothing.
      await round.join(runs, process: getpid(), time: 0) { runs.call() }
      try await runs.wait(for: turn)
      #expect(runs.count == turn)
      #expect(await round.count == 1)
    }
    #expect(waits.count == 0)
    // A process that is gone has no time.
    still.reap()
    try await waits.wait(for: 1)
    #expect(await round.count == 0)
    // The next member begins the round anew.
    await round.join(runs, process: getpid(), time: 0) { runs.call() }
    try await runs.wait(for: 4)
    #expect(waits.count == 1)
  }

  @Test(arguments: 0..<4, 0..<4) func `knows its members after one of them has left`(gone: Int, ran: Int) async throws {
    defer { loop.stop() }
    let still = try StillProcess()
    let round = QuietRound(every: .milliseconds(1), on: loop)
    let members = (0..<4).map { _ in Member() }
    let last = Member()
    let (pid, time) = (still.pid, still.time)
    await at(round) { round in
      for (place, member) in members.enumerated() {
        round.join(member, process: pid, time: place == ran ? time + 1 : time) { member.call() }
      }
      round.leave(members[gone])
      round.leave(members[gone])
      round.join(last, process: pid, time: time + 1) { last.call() }
    }
    // The last one joined after all others, and a pass calls all that have run.
    try await last.wait(for: 1)
    while await round.count > 3 - (gone == ran ? 0 : 1) { await Task.yield() }
    for (place, member) in members.enumerated() { #expect(member.count == (place == ran && gone != ran ? 1 : 0)) }
    #expect(await round.count == (gone == ran ? 3 : 2))
  }

  @Test func `takes the newer time of who joins twice`() async throws {
    defer { loop.stop() }
    let still = try StillProcess()
    let round = QuietRound(every: .milliseconds(1), on: loop)
    let (twice, other) = (Member(), Member())
    let (pid, time) = (still.pid, still.time)
    await at(round) { round in
      round.join(twice, process: pid, time: time + 1) { twice.call() }
      round.join(twice, process: pid, time: time) { twice.call() }
    }
    for turn in 1...2 {
      await round.join(other, process: pid, time: time + 1) { other.call() }
      try await other.wait(for: turn)
    }
    #expect(twice.count == 0)
    #expect(await round.count == 1)
  }

  @Test func `does not call a member that another one sends away`() async throws {
    defer { loop.stop() }
    let round = QuietRound(every: .milliseconds(1), on: loop)
    let (one, other) = (Member(), Member())
    await at(round) { round in
      round.join(one, process: getpid(), time: 0) {
        round.assumeIsolated { $0.leave(other) }
        one.call()
      }
      round.join(other, process: getpid(), time: 0) {
        round.assumeIsolated { $0.leave(one) }
        other.call()
      }
    }
    while await round.count > 0 { await Task.yield() }
    for turn in 1...2 {
      let next = Member()
      await round.join(next, process: getpid(), time: 0) { next.call() }
      try await next.wait(for: 1)
      #expect(one.count + other.count == 1, "in turn \(turn)")
    }
  }
}
