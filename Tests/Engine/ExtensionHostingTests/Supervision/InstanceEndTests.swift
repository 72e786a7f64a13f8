import EventLoop
import ExtensionProtocol
import JSONRPC
import Synchronization
import Testing

@testable import ExtensionHosting

/// How one process goes through its states, and what its link is told at the end.
@Suite(.timeLimit(.minutes(1)))
struct `An instance of an extension` {
  private static let excess = DiskExcess(folder: "/c", used: 2, ceiling: 1, unit: .files)

  @Test func `takes requests from its handshake to its end`() async throws {
    let held = try HeldInstances()
    let instance = try await held.supervisor().admit(held.target(), for: .request)
    #expect(await instance.state == .eligible)
    #expect(await !instance.isLive)
    #expect(await !instance.beginRequest())
    await instance.event(.launched)
    #expect(await !instance.beginRequest())
    await instance.event(.handshakeDone)
    for count in 1...2 {
      #expect(await instance.beginRequest())
      #expect(await instance.state == .running(count))
    }
    await instance.endRequest()
    #expect(await instance.state == .running(1))
    await instance.endRequest()
    #expect(await instance.state == .idle)
    #expect(await instance.beginRequest())
    await instance.event(.stop(.memory))
    #expect(await !instance.beginRequest())
    #expect(await instance.state == .terminated(.stopped(.memory)))
  }

  @Test func `has a purpose, and a number of its own that rises`() async throws {
    let held = try HeldInstances()
    let supervisor = held.supervisor()
    var last: UInt64 = 0
    for (purpose, isRecorded, isKept) in [
      (.request, true, false), (.keeping(replaces: nil), true, true), (.keeping(replaces: "1"), true, true),
      (.foreign, false, false),
    ] as [(ExtensionInstance.Purpose, Bool, Bool)] {
      let instance = try await supervisor.admit(held.target(), for: purpose)
      #expect(instance.isRecorded == isRecorded && instance.isKept == isKept && !instance.hasFailed)
      #expect(instance.number > last)
      last = instance.number
    }
  }

  @Test(
    arguments: [
      ([.stop(.update), .stop(.memory)], .update), ([.stop(.memory)], .memory), ([.exited, .stop(.update)], .quit),
      ([.requestBegan, .replaced, .requestEnded], .update),
    ] as [([LifecycleStateMachine.Event], StopReason)])
  func `is ended once, for the first reason`(events: [LifecycleStateMachine.Event], reason: StopReason) async throws {
    let held = try HeldInstances()
    let one = try await held.launch(held.target(), for: .request)
    for event in events { await one.instance.event(event) }
    await one.instance.finish(.timeout)
    await one.instance.attend()
    #expect(one.link.ends == [reason])
    #expect(one.link.cleanUps == 1 && one.link.kills == [])
  }

  @Test(
    arguments: [
      (nil, false), (.finished, false), (.cancelled, false), (.peerClosed, true), (.readFailed(errno: 5), true),
      (.writeStalled(.seconds(1)), true),
    ] as [(CloseReason?, Bool)])
  func `has exited when its connection ended, unless the host has ended that`(
    reason: CloseReason?, hasExited: Bool
  ) async throws {
    let held = try HeldInstances()
    let (found, ended) = (
      try await held.launch(held.target(), for: .request), try await held.launch(held.target(), for: .request)
    )
    if let reason { for one in [found, ended] { one.process.connection.shutDown(reason) } }
    await found.instance.lookAtConnection()
    #expect(await found.state == (hasExited ? .terminated(.exited) : .ready))
    // Whoever ends it may learn of that first.
    await ended.instance.finish(.update)
    #expect(await ended.state == .terminated(hasExited ? .exited : .stopped(.update)))
  }

  @Test func `is ended by force when it does not shake hands`() async throws {
    let held = try HeldInstances()
    let instance = try await held.supervisor().admit(held.target(), for: .request)
    let link = FakeLink(on: held.loop)
    await instance.launched(link.process(of: instance), over: link)
    await instance.event(.handshakeTimedOut)
    #expect(link.kills == [.handshakeTimeout])
    await instance.attend()
    #expect(link.kills == [.handshakeTimeout] && link.ends == [.timeout] && link.cleanUps == 1)
    #expect(await instance.state == .terminated(.killed(.handshakeTimeout)))
  }

  @Test func `that was never launched has nothing to be ended`() async throws {
    let held = try HeldInstances()
    let instance = try await held.supervisor().admit(held.target(), for: .request)
    await instance.attend()
    #expect(await instance.state == .eligible)
    #expect(await instance.process == nil)
  }

  @Test func `ends when nothing is to be done for long, and is asked to`() async throws {
    let held = try HeldInstances { $0.warm.idleTime = .milliseconds(1) }
    let one = try await held.launch(held.target(), for: .keeping(replaces: nil))
    await one.instance.event(.kept)
    await one.instance.attend()
    #expect(one.link.ends == [.idle])
    #expect(await one.state == .terminated(.stopped(.idle)))
  }

  @Test func `is idle when what it does after a request takes too long`() async throws {
    let held = try HeldInstances { $0.deadlines.completion = .milliseconds(1) }
    let one = try await held.launch(held.target(), for: .request)
    for _ in 0..<2 {
      #expect(await one.instance.beginRequest())
      await one.instance.event(.requestEnded)
      await until { await one.state == .idle }
    }
  }

  @Test func `is said to be slow to start once, when it is`() async throws {
    let log = KeptLog(from: .warning)
    let held = try HeldInstances(log: log) { $0.deadlines.slowLaunch = .milliseconds(1) }
    let instance = try await held.supervisor().admit(held.target(), for: .request)
    await instance.event(.launched)
    await until { !log.lines.isEmpty }
    await instance.event(.handshakeDone)
    #expect(log.lines == ["slow to start"])
    #expect(await instance.state == .ready)
  }

  @Test func `is ended at once when whoever attends it is cancelled`() async throws {
    let held = try HeldInstances()
    let one = try await held.launch(held.target(), for: .request)
    let attending = Task { await one.instance.attend() }
    attending.cancel()
    await attending.value
    #expect(one.link.ends == [.quit] && one.link.cleanUps == 1)
    #expect(await one.state == .terminated(.stopped(.quit)))
  }

  @Test func `has failed when it leaves too much behind, unless something came first`() async throws {
    let log = KeptLog(from: .warning)
    let held = try HeldInstances(log: log)
    let one = try await held.launch(held.target(), for: .request, leaving: Self.excess)
    await one.instance.finish(.idle)
    await one.instance.attend()
    #expect(await one.instance.leftover == Self.excess)
    let failure = try #require(one.instance.failure.withLock { $0 })
    #expect(failure.kind == .diskQuota && failure.folder == "/c" && failure.version == "2.0")
    #expect(failure.message == "Clock has left too much: /c holds 2 files, and 1 are allowed.")
    #expect(failure.recovery == DiskQuota.recovery(Self.excess) && log.lines == [failure.message])
    let other = try await held.launch(held.target(), for: .request, leaving: Self.excess)
    let first = HealthRecord.Failure(time: 1, kind: .deadline, message: "It was late.")
    other.instance.failure.withLock { $0 = first }
    await other.instance.finish(.idle)
    await other.instance.attend()
    #expect(other.instance.failure.withLock { $0 } == first)
    #expect(await other.instance.leftover == Self.excess)
    let clean = try await held.launch(held.target(), for: .request)
    await clean.instance.finish(.idle)
    await clean.instance.attend()
    #expect(await clean.instance.leftover == nil)
    #expect(!clean.instance.hasFailed)
  }

  @Test func `is waited for until it is remembered, and no longer`() async throws {
    let held = try HeldInstances()
    let instance = try await held.supervisor().admit(held.target(), for: .request)
    let waiting = (0..<3).map { _ in Task { await instance.gone() } }
    await Task.yield()
    await instance.leave()
    for task in waiting { await task.value }
    await instance.gone()
    await instance.leave()
    await instance.gone()
  }

  @Test func `is forgotten with its process and its timers`() async throws {
    let held = try HeldInstances { $0.warm.idleTime = .milliseconds(20) }
    let (one, other) = (
      try await held.launch(held.target(), for: .keeping(replaces: nil)),
      try await held.launch(held.target(), for: .keeping(replaces: nil))
    )
    #expect(await one.instance.process === one.process)
    await one.instance.isKeptAndForgotten()
    #expect(await one.instance.process == nil)
    // When the time of this one is over, that of the other was before.
    await other.instance.event(.kept)
    await until { await other.state == .terminated(.stopped(.idle)) }
    #expect(await one.state == .suspended)
  }
}

extension ExtensionInstance {
  /// In one turn of the loop, so that its times cannot be over between the two.
  fileprivate func isKeptAndForgotten() {
    event(.kept)
    forget()
  }
}
