import ExtensionProtocol
import Glibc
import JSON
import Synchronization
import Testing
import Time

@testable import ExtensionHosting

/// What the health record and the statistics have of a process that has ended.
@Suite(.timeLimit(.minutes(1)))
struct `What is remembered of an end` {
  typealias Event = LifecycleStateMachine.Event

  struct End: Sendable, CustomTestStringConvertible {
    var purpose = ExtensionInstance.Purpose.request
    var events: [Event]
    /// A failure that was seen of it.
    var seen: FailureKind?
    var error: ExtensionError.Code?
    var isLaunch = false
    /// What is remembered.
    var kinds: [FailureKind]
    var message = "It failed."

    var testDescription: String { "\(purpose) \(events) \(String(describing: seen)) \(String(describing: error))" }
  }

  private static let ready: [Event] = [.launched, .handshakeDone]
  private static let stopped: [Event] = ready + [.requestBegan, .stop(.idle)]
  private static let missed: [Event] = ready + [.kept] + Array(repeating: .timer(.ping), count: 3)

  private static let ends = [
    // It ended by itself, by force, or speaks another protocol: what was seen of it counts.
    End(events: ready + [.exited], seen: .crashed, kinds: [.crashed]), End(events: ready + [.exited], kinds: []),
    End(events: [.launched, .handshakeRefused], seen: .versionMismatch, kinds: [.versionMismatch]),
    End(events: [.launched, .handshakeTimedOut], seen: .handshakeTimeout, kinds: [.handshakeTimeout]),
    End(
      purpose: .keeping(replaces: nil), events: missed, kinds: [.hung],
      message: "Clock was ended by force: it missed two pings in a row."),
    End(purpose: .keeping(replaces: nil), events: missed, seen: .memory, kinds: [.memory]),
    End(events: [.launched, .handshakeTimedOut], kinds: []),
    // The host ended it: without an error only wrong answers count.
    End(events: stopped, seen: .deadline, kinds: []),
    End(events: stopped, seen: .protocolViolation, kinds: [.protocolViolation]),
    End(events: stopped, seen: .deadline, error: .deadlineExceeded, kinds: [.deadline]),
    End(events: stopped, error: .cancelled, kinds: []),
    // A process that is kept has no error of its own.
    End(purpose: .keeping(replaces: nil), events: stopped, seen: .deadline, kinds: [.deadline]),
    End(
      purpose: .keeping(replaces: "1.0"), events: stopped, seen: .deadline, kinds: [.deadline],
      message: "It failed. Version 1.0 stays in use."),
    // It was not started: what the launcher says of it counts, and what it says of the machine does not.
    End(events: [.launchFailed], error: .launchFailed, isLaunch: true, kinds: [.launchFailed], message: "No."),
    End(events: [.launchFailed], error: .extensionInvalid, isLaunch: true, kinds: [.launchFailed], message: "No."),
    End(events: [.launchFailed], error: .sandboxUnavailable, isLaunch: true, kinds: []),
    End(events: [.launchFailed], error: .launchFailed, kinds: []),
    End(events: [.launchFailed], seen: .crashed, error: .launchFailed, isLaunch: true, kinds: [.crashed]),
    // What the host did not start is not remembered.
    End(purpose: .foreign, events: ready + [.exited], seen: .crashed, kinds: []),
  ]

  @Test(arguments: ends.indices) func `is what ended it, or was seen of it`(index: Int) async throws {
    let end = Self.ends[index]
    let held = try HeldInstances()
    let supervisor = held.supervisor()
    let instance = try await supervisor.admit(held.target(), for: end.purpose)
    for event in end.events { await instance.event(event) }
    if let kind = end.seen {
      instance.failure.withLock { $0 = HealthRecord.Failure(time: 1, kind: kind, message: "It failed.") }
    }
    let error = end.error.map { ExtensionError($0, "No.", recovery: "Do.", details: ["sandbox": "stage"]) }
    await supervisor.ended(instance, error: error, isLaunch: end.isLaunch)
    let record = HealthStore(held.configuration.state).record(of: HeldInstances.clock)
    #expect(record.failures.map(\.kind) == end.kinds, "\(end)")
    if !end.kinds.isEmpty { #expect(record.failures.map(\.message) == [end.message], "\(end)") }
    let statistics = StatisticsStore(held.configuration.state).statistics(of: HeldInstances.clock)
    #expect(statistics.failures == Int64(end.kinds.count), "\(end)")
    #expect(await supervisor.isEmpty)
    // Nobody waits for it any more.
    await instance.gone()
    if end.kinds == [.launchFailed] {
      let failure = try #require(record.failures.first)
      #expect(failure.recovery == "Do." && failure.stage == "stage" && failure.version == "2.0")
    }
  }

  @Test func `is what its handler threw last, where nothing worse was seen, and no failed run`() async throws {
    let held = try HeldInstances()
    let supervisor = held.supervisor()
    let thrown = HealthRecord.Failure(time: 1, kind: .exception, message: "It threw.")
    for isWorse in [false, true] {
      let instance = try await supervisor.admit(held.target(), for: .request)
      for event in Self.ready + [.exited] { await instance.event(event) }
      instance.exception.withLock { $0 = thrown }
      if isWorse { instance.failure.withLock { $0 = HealthRecord.Failure(time: 2, kind: .crashed, message: "Oh.") } }
      await supervisor.ended(instance, error: nil)
      let failures = HealthStore(held.configuration.state).record(of: HeldInstances.clock).failures
      #expect(failures.map(\.kind) == (isWorse ? [.exception, .crashed] : [.exception]))
      let statistics = StatisticsStore(held.configuration.state).statistics(of: HeldInstances.clock)
      #expect(statistics.failures == (isWorse ? 1 : 0))
    }
  }

  @Test func `is a success only without an error, where one changes anything`() async throws {
    let held = try HeldInstances()
    let (supervisor, store) = (held.supervisor(), HealthStore(held.configuration.state))
    func run(_ error: ExtensionError?) async throws -> HealthRecord {
      let instance = try await supervisor.admit(held.target(), for: .request)
      for event in Self.stopped { await instance.event(event) }
      await supervisor.ended(instance, error: error)
      return store.record(of: HeldInstances.clock)
    }
    #expect(try await run(nil) == HealthRecord())
    // Long ago, so that nothing waits.
    let failure = HealthRecord.Failure(time: 1, kind: .crashed, message: "It crashed.")
    try await store.change(HeldInstances.clock) { $0.failed(failure, executable: nil) }
    let failed = try await run(ExtensionError(.cancelled, "No."))
    #expect(failed.consecutive == 1 && failed.lastSuccess == nil && failed.isFailing)
    let succeeded = try await run(nil)
    #expect(succeeded.consecutive == 0 && succeeded.lastSuccess != nil && !succeeded.isFailing)
    #expect(succeeded.failures == [failure])
    #expect(try await run(nil) == succeeded)
  }

  @Test func `holds in memory while it cannot be written, and is written when it can`() async throws {
    let log = KeptLog(from: .warning)
    let held = try HeldInstances(log: log)
    let (supervisor, store) = (held.supervisor(), HealthStore(held.configuration.state))
    // In the place of the folder.
    let file = try held.folder.write("health", "no folder".utf8)
    for number in 1...5 {
      let instance = try await supervisor.admit(held.target(), for: .request)
      for event in Self.ready + [.exited] { await instance.event(event) }
      let failure = HealthRecord.Failure(time: Double(number), kind: .crashed, message: "It crashed.")
      instance.failure.withLock { $0 = failure }
      await supervisor.ended(instance, error: nil)
      #expect(await supervisor.currentRecord().failures.map(\.time) == (1...number).map(Double.init))
    }
    #expect(log.lines == Array(repeating: "health is not kept", count: 5))
    let refused = await #expect(throws: ExtensionError.self) {
      try await supervisor.admit(held.target(), for: .request)
    }
    #expect(refused?.code == .quarantined)
    #expect(refused?.details["until"] == JSONValue.null && refused?.details["since"] == JSONValue.double(5))
    _ = try await supervisor.admit(held.target(), for: .foreign)
    #expect(unlink(file) == 0)
    #expect(await supervisor.currentRecord().failures.count == 5)
    #expect(store.record(of: HeldInstances.clock).quarantine?.since == 5)
    // What another program decides counts from now on.
    try await store.reset(HeldInstances.clock)
    let instance = try await supervisor.admit(held.target(), for: .request)
    #expect(instance.generation == 1)
    try await supervisor.checkQuarantine(of: instance)
  }

  private static func crash(_ time: Double) -> HealthRecord.Failure {
    HealthRecord.Failure(time: time, kind: .crashed, message: "It crashed.")
  }

  @Test func `is written beside what another host wrote meanwhile`() async throws {
    let held = try HeldInstances()
    let (supervisor, store) = (held.supervisor(), HealthStore(held.configuration.state))
    // In the place of the folder.
    let file = try held.folder.write("health", "no folder".utf8)
    for time in [1, 2] as [Double] {
      await #expect(throws: ExtensionError.self) {
        try await supervisor.changeRecord { $0.failed(Self.crash(time), executable: nil) }
      }
    }
    #expect(unlink(file) == 0)
    try await store.change(HeldInstances.clock) { $0.failed(Self.crash(3), executable: nil) }
    #expect(await supervisor.currentRecord().failures.map(\.time) == [3, 1, 2])
    try await supervisor.changeRecord { $0.failed(Self.crash(4), executable: nil) }
    let record = store.record(of: HeldInstances.clock)
    #expect(record.failures.map(\.time) == [3, 1, 2, 4] && record.consecutive == 4)
    #expect(await supervisor.currentRecord() == record)
  }

  @Test func `is kept for later up to a hundred changes, the newest`() async throws {
    let held = try HeldInstances()
    let supervisor = held.supervisor()
    // In the place of the folder.
    let file = try held.folder.write("health", "no folder".utf8)
    for number in 1...102 {
      await #expect(throws: ExtensionError.self) {
        try await supervisor.changeRecord { record in
          if number <= 2 { record.restart() } else { record.failed(Self.crash(Double(number)), executable: nil) }
        }
      }
    }
    let known = await supervisor.currentRecord()
    #expect(known.generation == 2 && known.consecutive == 100)
    #expect(unlink(file) == 0)
    let written = await supervisor.currentRecord()
    #expect(written.generation == 0 && written.consecutive == 100 && written.failures == known.failures)
    #expect(HealthStore(held.configuration.state).record(of: HeldInstances.clock) == written)
  }

  @Test(arguments: ["statistics", "health"])
  func `has its statistics written with the next one where that cannot be done now`(name: String) async throws {
    let held = try HeldInstances()
    let (supervisor, store) = (held.supervisor(), StatisticsStore(held.configuration.state))
    // In the place of a folder.
    let file = try held.folder.write(name, "no folder".utf8)
    for (number, counted) in [0, 0, 3, 4].enumerated() {
      if number == 2 { #expect(unlink(file) == 0) }
      let instance = try await supervisor.admit(held.target(), for: .request)
      for event in Self.ready + [.exited] { await instance.event(event) }
      let failure = HealthRecord.Failure(time: 1, kind: .versionMismatch, message: "It speaks another protocol.")
      instance.failure.withLock { $0 = failure }
      await supervisor.ended(instance, error: nil)
      #expect(store.statistics(of: HeldInstances.clock).failures == Int64(counted))
    }
  }

  @Test func `has the next start wait no longer than the host does`() async throws {
    let held = try HeldInstances { $0.deadlines.backOff = .zero }
    let now = UnixTime.now.fractionalSeconds
    // After the fourth eight seconds.
    try await HealthStore(held.configuration.state).change(HeldInstances.clock) { record in
      for _ in 0..<4 { record.failed(Self.crash(now), executable: nil) }
    }
    let supervisor = held.supervisor()
    let error = await #expect(throws: ExtensionError.self) {
      try await supervisor.admit(held.target(), for: .request)
    }
    #expect(error?.code == .quarantined)
    #expect(error?.message == "Clock failed 4 times in a row and may not start yet. It crashed.")
    #expect(error?.recovery == "Try again in some seconds, or call ExtensionHost.reset(_:).")
    #expect(error?.details["reason"] == "It crashed." && error?.details["until"] == .double(now + 8))
    #expect(error?.details["extension"] == .string(HeldInstances.clock))
    #expect(await supervisor.isEmpty)
  }

  @Test func `has the next start wait, unless that is cancelled`() async throws {
    let log = KeptLog(from: .warning)
    let held = try HeldInstances(log: log)
    let (supervisor, store) = (held.supervisor(), HealthStore(held.configuration.state))
    func fail(at time: Double) async throws {
      try await store.change(HeldInstances.clock) { record in
        record.reset()
        for _ in 0..<4 { record.failed(Self.crash(time), executable: nil) }
      }
    }
    try await fail(at: UnixTime.now.fractionalSeconds - 1)
    let start = Task { try await supervisor.admit(held.target(), for: .request) }
    await until { !log.lines.isEmpty }
    start.cancel()
    let error = await #expect(throws: ExtensionError.self) { try await start.value }
    #expect(error?.code == .cancelled && error?.message == "The start of Clock was cancelled.")
    #expect(await supervisor.isEmpty)
    // Nearly over.
    let failed = UnixTime.now.fractionalSeconds - 7.9
    try await fail(at: failed)
    let instance = try await supervisor.admit(held.target(), for: .request)
    #expect(UnixTime.now.fractionalSeconds >= failed + 8 && instance.generation == 2)
    #expect(Set(log.lines) == ["failed lately; waiting before the next start"])
  }

  @Test func `is of files that cannot be launched, and leaves the counts to those that stay in use`() async throws {
    let held = try HeldInstances()
    let (supervisor, store) = (held.supervisor(), HealthStore(held.configuration.state))
    try await store.change(HeldInstances.clock) { $0.failed(Self.crash(1), executable: "one") }
    let error = ExtensionError(.launchFailed, "No.", recovery: "Do.", details: ["sandbox": "stage"])
    for version in ["1.0", "1.1"] {
      await supervisor.rolledBack(to: version, because: error)
      let record = store.record(of: HeldInstances.clock)
      let failure = try #require(record.failures.last)
      #expect(failure.kind == .launchFailed && failure.message == "No. Version \(version) stays in use.")
      #expect(failure.recovery == "Do." && failure.stage == "stage" && failure.version == nil)
      #expect(record.executable == "one" && record.consecutive == 1)
    }
    #expect(store.record(of: HeldInstances.clock).failures.count == 3)
  }

  @Test func `is no success where another has failed since the record was looked at`() {
    var record = HealthRecord()
    record.failed(Self.crash(1), executable: nil)
    let known = record
    record.failed(Self.crash(2), executable: nil)
    record.succeeded(now: 3, executable: nil, ifStill: known)
    #expect(record.consecutive == 2 && record.lastSuccess == nil && record.isFailing)
    record.succeeded(now: 3, executable: nil, ifStill: record)
    #expect(record.consecutive == 0 && record.lastSuccess == 3 && !record.isFailing)
  }

  @Test func `keeps a launch from beginning when others have failed since it was admitted`() async throws {
    let held = try HeldInstances()
    let (supervisor, store) = (held.supervisor(), HealthStore(held.configuration.state))
    let instance = try await supervisor.admit(held.target(), for: .request)
    for number in 1...5 {
      let failure = HealthRecord.Failure(time: Double(number), kind: .crashed, message: "It crashed.")
      try await supervisor.checkQuarantine(of: instance)
      try await store.change(HeldInstances.clock) { $0.failed(failure, executable: nil) }
    }
    let error = await #expect(throws: ExtensionError.self) { try await supervisor.checkQuarantine(of: instance) }
    #expect(error?.code == .quarantined)
    #expect(error?.message == "Clock is disabled. It failed 5 times within 60 s; at last: It crashed.")
  }
}
