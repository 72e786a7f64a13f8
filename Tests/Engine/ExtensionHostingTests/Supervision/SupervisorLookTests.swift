import ExtensionProtocol
import Synchronization
import Testing

@testable import ExtensionHosting

/// What ends processes while they run, without anybody's call.
@Suite(.timeLimit(.minutes(1)))
struct `A look around` {
  /// Counts how often all were looked at.
  private final class Rounds: Sendable {
    private let passed = Mutex(0)
    var count: Int { passed.withLock { $0 } }
    func pass() { passed.withLock { $0 += 1 } }

    /// Waits for some more, the one at hand not among them.
    func pass(_ number: Int) async {
      let before = count
      await until { count > before + number }
    }
  }

  @Test func `ends what waits when memory is short, and no request`() async throws {
    let isShort = Mutex(false)
    let held = try HeldInstances {
      $0.deadlines.look = .milliseconds(1)
      $0.warm.isMemoryShort = { isShort.withLock { $0 } }
    }
    let supervisor = held.supervisor()
    var all: [HeldInstances.Held] = []
    for _ in 0..<4 { all.append(try await held.launch(held.target(), for: .keeping(replaces: nil), by: supervisor)) }
    let (kept, idle, working, fresh) = (all[0], all[1], all[2], all[3])
    await kept.instance.event(.kept)
    #expect(await idle.instance.beginRequest())
    await idle.instance.endRequest()
    #expect(await working.instance.beginRequest())
    isShort.withLock { $0 = true }
    await until { await kept.state == .terminated(.stopped(.memory)) }
    await until { await idle.state == .terminated(.stopped(.memory)) }
    #expect(await working.state == .running(1))
    #expect(await fresh.state == .ready)
    // It ends as soon as it waits.
    await working.instance.endRequest()
    await until { await working.state == .terminated(.stopped(.memory)) }
  }

  @Test func `ends what the host has started when a restart was asked for`() async throws {
    let held = try HeldInstances { $0.deadlines.look = .milliseconds(1) }
    let (supervisor, store) = (held.supervisor(), HealthStore(held.configuration.state))
    let rounds = Rounds()
    await held.surroundings.round.join(rounds) { rounds.pass() }
    for generation in 0..<2 {
      let own = try await held.launch(held.target(), for: .request, by: supervisor)
      let foreign = try await held.launch(held.target(), for: .foreign, by: supervisor)
      #expect(own.instance.generation == generation && foreign.instance.generation == 0)
      if generation == 0 {
        _ = try await store.restart(HeldInstances.clock)
        await until { await own.state == .terminated(.stopped(.host)) }
        #expect(await foreign.state == .ready)
      } else {
        // What was asked for before is over.
        let before = rounds.count
        await until { rounds.count >= before + 3 }
        #expect(await own.state == .ready)
      }
      for one in [own, foreign] { await supervisor.ended(one.instance, error: nil) }
    }
  }

  @Test func `ends what was admitted before a restart was asked for, and launched long after`() async throws {
    let held = try HeldInstances { $0.deadlines.look = .milliseconds(1) }
    let (supervisor, store) = (held.supervisor(), HealthStore(held.configuration.state))
    let rounds = Rounds()
    await held.surroundings.round.join(rounds) { rounds.pass() }
    let others = "com.example.other"
    for id in [others, HeldInstances.clock] { _ = try await store.restart(id) }
    // While another one runs, the records are looked at.
    let other = try await held.launch(held.target(others), for: .request)
    let own = try await held.launch(held.target(), for: .request, by: supervisor)
    await rounds.pass(5)
    #expect(await own.state == .ready)
    await supervisor.ended(own.instance, error: nil)

    let late = try await supervisor.admit(held.target(), for: .request)
    _ = try await store.restart(HeldInstances.clock)
    await rounds.pass(5)
    #expect(await late.state == .eligible && late.generation == 1)
    let link = FakeLink(on: held.loop)
    await late.launched(link.process(of: late), over: link)
    await late.event(.handshakeDone)
    await rounds.pass(5)
    #expect(await late.state == .terminated(.stopped(.host)))
    #expect(await other.state == .ready)
    for instance in [late, other.instance] { await instance.supervisor.ended(instance, error: nil) }
  }

  @Test func `ends a request's process after it when its manifest or its bundle alone is another`() async throws {
    let held = try HeldInstances { $0.deadlines.look = .milliseconds(1) }
    let supervisor = held.supervisor()
    let rounds = Rounds()
    await held.surroundings.round.join(rounds) { rounds.pass() }
    let executable = try held.folder.write("program", "one".utf8, mode: 0o755)
    var all: [HeldInstances.Held] = []
    for name in ["manifest-0", "manifest-1", "bundle-2", "bundle-3"] {
      let path = try held.folder.write(name, "one".utf8)
      var target = held.target(executable: executable)
      if name.hasPrefix("manifest") { target.manifest = path } else { target.bundle = path }
      all.append(try await held.launch(target, for: .request, by: supervisor))
    }
    for one in all { #expect(await one.instance.beginRequest()) }
    func superseded() async -> [Bool] {
      await rounds.pass(3)
      var found: [Bool] = []
      for one in all { found.append(await one.state == .superseded(1)) }
      return found
    }
    #expect(await superseded() == [false, false, false, false])
    try held.folder.write("manifest-1", "another".utf8)
    #expect(await superseded() == [false, true, false, false])
    try held.folder.write("bundle-3", "another".utf8)
    #expect(await superseded() == [false, true, false, true])
  }

  @Test func `ends a request's process after it when its files are others, and none that is kept`() async throws {
    let held = try HeldInstances { $0.deadlines.look = .milliseconds(1) }
    let supervisor = held.supervisor()
    let (changed, same) = (
      try held.folder.write("changed", "one".utf8, mode: 0o755), try held.folder.write("same", "one".utf8, mode: 0o755)
    )
    let request = try await held.launch(held.target(executable: changed), for: .request, by: supervisor)
    let kept = try await held.launch(held.target(executable: changed), for: .keeping(replaces: nil), by: supervisor)
    let other = try await held.launch(held.target(executable: same), for: .request, by: supervisor)
    for one in [request, kept, other] { #expect(await one.instance.beginRequest()) }
    try held.folder.write("changed", "another".utf8, mode: 0o755)
    await until { await request.state == .superseded(1) }
    #expect(await kept.state == .running(1))
    #expect(await other.state == .running(1))
    await request.instance.endRequest()
    #expect(await request.state == .terminated(.stopped(.update)))
  }

  @Test func `takes two spellings of a path for two, and one that is absent for none`() throws {
    let held = try HeldInstances()
    let program = held.target(executable: "/é")
    #expect(program.hasSameFiles(as: held.target(executable: "/é")))
    #expect(!program.hasSameFiles(as: held.target(executable: "/e\u{301}")))
    for path in [\LaunchTarget.manifest, \LaunchTarget.bundle] {
      var (one, other) = (held.target(), held.target())
      #expect(one.hasSameFiles(as: other))
      one[keyPath: path] = "/é"
      #expect(!one.hasSameFiles(as: other) && !other.hasSameFiles(as: one))
      other[keyPath: path] = "/e\u{301}"
      #expect(!one.hasSameFiles(as: other))
      other[keyPath: path] = "/é"
      #expect(one.hasSameFiles(as: other))
    }
  }

  @Test func `ends when nothing runs, and begins anew with the next process`() async throws {
    let held = try HeldInstances()
    let supervisor = held.supervisor()
    for _ in 0..<2 {
      let one = try await held.launch(held.target(), for: .request, by: supervisor)
      let other = try await held.launch(held.target(), for: .request, by: supervisor)
      #expect(await held.surroundings.round.count == 1)
      await supervisor.ended(one.instance, error: nil)
      #expect(await held.surroundings.round.count == 1)
      #expect(await !supervisor.isEmpty)
      await supervisor.ended(other.instance, error: nil)
      #expect(await held.surroundings.round.count == 0)
      #expect(await supervisor.isEmpty)
    }
  }

  @Test func `is not needed to end all at once`() async throws {
    let held = try HeldInstances()
    let supervisor = held.supervisor()
    let eligible = try await supervisor.admit(held.target(), for: .request)
    let one = try await held.launch(held.target(), for: .request, by: supervisor)
    let foreign = try await held.launch(held.target(), for: .foreign, by: supervisor)
    await supervisor.stopAll(.quit)
    #expect(await eligible.state == .terminated(.notStarted))
    for held in [one, foreign] { #expect(await held.state == .terminated(.stopped(.quit))) }
  }
}
