import JSON
import ExtensionProtocol
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `What is seen of a process` {
  /// A machine with a ceiling of 100 MiB, 10 threads, 2 s for a request, 1 s in 3 s between requests.
  private static var machine: ResourceStateMachine {
    var limits = ExtensionLimits(memoryMiB: 100)
    limits.threads = 10
    limits.requestCPU = .seconds(2)
    limits.idleCPU = .seconds(1)
    limits.idleWindow = .seconds(3)
    return ResourceStateMachine(limits: limits)
  }

  private static func sample(
    _ time: Double, cpu: Double = 0, memoryMiB: UInt64 = 1, threads: UInt64 = 1, request: Int64? = nil
  ) -> ResourceStateMachine.Event {
    .sample(
      ResourceSample(
        time: .seconds(time), cpu: .seconds(cpu), memory: memoryMiB << 20, threads: threads, oldestRequest: request))
  }

  private func last(_ events: [ResourceStateMachine.Event]) -> [ResourceStateMachine.Action] {
    var machine = Self.machine
    return events.map { machine.event($0) }.last ?? []
  }

  @Test func `is no reason for anything within the limits`() {
    #expect(last([Self.sample(0), Self.sample(1, cpu: 0.9, memoryMiB: 79, threads: 10)]) == [])
  }

  @Test func `says how long it has run`() {
    var machine = Self.machine
    #expect(machine.cpu == .zero)
    for (event, cpu) in [(Self.sample(1, cpu: 0.25), 0.25), (Self.sample(2, cpu: 0.5), 0.5), (.hidden, 0.5)] {
      _ = machine.event(event)
      #expect(machine.cpu == .seconds(cpu))
    }
  }

  @Test func `ends it beyond the memory, and exactly then`() {
    #expect(last([Self.sample(0, memoryMiB: 101)]) == [.terminate(.memory(used: 101 << 20, ceiling: 100 << 20))])
    let ends = last([Self.sample(0, memoryMiB: 100)]).contains { if case .terminate = $0 { true } else { false } }
    #expect(!ends)
  }

  @Test func `ends it beyond the threads`() {
    #expect(last([Self.sample(0, threads: 11)]) == [.terminate(.threads(used: 11, ceiling: 10))])
  }

  @Test func `ends it for its files`() {
    let excess = DiskExcess(folder: "/c", used: 2, ceiling: 1, unit: .files)
    #expect(last([.disk(excess)]) == [.terminate(.diskQuota(excess))])
  }

  @Test func `ends it when there is nothing to be seen`() {
    #expect(last([.hidden]) == [.terminate(.watchdog("what it uses could not be seen"))])
  }

  @Test func `says what the last request used until the next one begins, also when it is over`() {
    var machine = Self.machine
    #expect(machine.requestCPU == nil)
    let looks: [(ResourceStateMachine.Event, Duration?)] = [
      (Self.sample(0), nil), (Self.sample(1, cpu: 0.1, request: 7), .zero),
      (Self.sample(2, cpu: 0.6, request: 7), .milliseconds(500)), (Self.sample(3, cpu: 0.7), .milliseconds(500)),
      (Self.sample(4, cpu: 0.7), .milliseconds(500)), (Self.sample(5, cpu: 0.8, request: 8), .zero),
    ]
    for (look, used) in looks {
      _ = machine.event(look)
      #expect(machine.requestCPU == used)
    }
  }

  @Test func `says nothing once it has ended it`() {
    #expect(last([Self.sample(0, threads: 11), Self.sample(1, memoryMiB: 500)]) == [])
  }

  @Test func `warns once on each level, and anew after relief`() {
    var machine = Self.machine
    let levels = [79, 80, 85, 96, 90, 97, 60, 82].map { memory in
      machine.event(Self.sample(0, memoryMiB: memory)).map { action in
        if case .warn(let warning) = action { "\(warning.level)" } else { "end" }
      }
    }
    #expect(levels == [[], ["warning"], [], ["critical"], [], [], [], ["warning"]])
    #expect(machine.peak == 97 << 20)
  }

  @Test func `ends it for the time of one request`() {
    let events = [Self.sample(0, cpu: 5, request: 1), Self.sample(1, cpu: 6.9, request: 1)]
    #expect(last(events) == [])
    let more = events + [Self.sample(2, cpu: 7.1, request: 1)]
    #expect(last(more) == [.terminate(.cpu(used: .seconds(7.1) - .seconds(5), ceiling: .seconds(2), isIdle: false))])
  }

  @Test func `counts anew for the next request`() {
    let events = [
      Self.sample(0, request: 1), Self.sample(1, cpu: 1.9, request: 1), Self.sample(2, cpu: 3.5, request: 2),
      Self.sample(3, cpu: 5.4, request: 2),
    ]
    #expect(last(events) == [])
  }

  @Test func `ends it for the time between requests`() {
    let events = [Self.sample(0, cpu: 5), Self.sample(1, cpu: 5.6), Self.sample(2, cpu: 6.2)]
    guard case .terminate(.cpu(let used, ceiling: .seconds(1), isIdle: true))? = last(events).first else {
      Issue.record("\(last(events))")
      return
    }
    #expect(used > .seconds(1.19) && used < .seconds(1.21))
  }

  @Test func `forgets what was used before the window`() {
    let events = (0..<20).map { Self.sample(Double($0) * 2, cpu: Double($0) * 0.5) }
    #expect(last(events) == [])
  }

  @Test func `permits all of the time of a request, and no more`() {
    let events = [Self.sample(0, cpu: 5, request: 1), Self.sample(1, cpu: 7, request: 1)]
    #expect(last(events) == [])
    #expect(last(events + [Self.sample(2, cpu: 7, request: 1)]) == [])
    guard
      case .terminate(.cpu(_, ceiling: .seconds(2), isIdle: false))? = last(
        events + [Self.sample(2, cpu: 7.001, request: 1)]
      ).first
    else {
      Issue.record("It goes on.")
      return
    }
  }

  @Test func `permits all of the time between requests, in all of the window`() {
    let events = [Self.sample(0, cpu: 5), Self.sample(1, cpu: 5.5), Self.sample(2, cpu: 6)]
    #expect(last(events) == [])
    #expect(last(events + [Self.sample(2.5, cpu: 6)]) == [])
    // What was used three seconds ago no longer counts.
    #expect(last(events + [Self.sample(4, cpu: 6.5)]) == [])
    let idle = ResourceStateMachine.Action.terminate(.cpu(used: .seconds(1.5), ceiling: .seconds(1), isIdle: true))
    #expect(last(events + [Self.sample(3.999, cpu: 6.5)]) == [idle])
    #expect(last(events + [Self.sample(4, cpu: 6.5), Self.sample(4.5, cpu: 7)]) == [idle])
  }

  @Test func `warns at exactly its levels, and is relieved below the lowest`() {
    var machine = Self.machine
    let steps: [(UInt64, MemoryWarning.Level?)] = [
      (80, .warning), (94, nil), (95, .critical), (80, nil), (70, nil), (80, nil), (95, nil), (69, nil), (79, nil),
      (80, .warning), (70, nil), (80, nil), (69, nil), (95, .critical), (69, nil), (94, .warning), (95, .critical),
    ]
    for (memory, level) in steps {
      let expected = level.map { MemoryWarning(level: $0, usage: memory << 20, limit: 100 << 20) }
      #expect(machine.event(Self.sample(0, memoryMiB: memory)) == (expected.map { [.warn($0)] } ?? []), "\(memory)")
    }
  }

  @Test func `counts no time in which a request began or ended as idle`() {
    let events = [
      Self.sample(0), Self.sample(1, cpu: 0.9, request: 1), Self.sample(2, cpu: 2, request: nil),
      Self.sample(3, cpu: 2.5),
    ]
    #expect(last(events) == [])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A file of a process` {
  @Test func `names pages`() {
    let pages = ProcessFigures.Pages(Array("2000 300 120 1 0 50 0\n".utf8))
    #expect(pages?.size == 2000 && pages?.resident == 300 && pages?.shared == 120)
    #expect(ProcessFigures.Pages(Array("0 0 0 0 0 0 0\n".utf8))?.size == 0)
  }

  @Test(arguments: ["", "1 2", "a b c d", "1 2 3 4"])
  func `that names no pages is nothing`(text: String) { #expect(ProcessFigures.Pages(Array(text.utf8)) == nil) }

  @Test func `names times behind a name that looks like fields`() {
    let text = "42 (a) R 1 ) 9) S 1 2 3 4 5 6 7 8 9 10 70 30 13 14 20 0 6 0 100 5000\n"
    let times = ProcessFigures.Times(Array(text.utf8))
    #expect(times?.ticks == 100 && times?.threads == 6)
  }

  @Test(arguments: ["", "42", "42 (a) S 1 2", "42 (a) S a b c d e f g h i j k l m n o p q r s"])
  func `that names no times is nothing`(text: String) { #expect(ProcessFigures.Times(Array(text.utf8)) == nil) }

  @Test func `names the memory that counts`() {
    let text = "VmPTE:\t  64 kB\nVmSwap:\t 2 kB\nRssAnon:\t 100 kB\nRssFile:\t 5000 kB\nRssShmem:\t 8 kB\n"
    #expect(ProcessFigures.footprint(Array(text.utf8)) == 174 << 10)
    #expect(ProcessFigures.footprint(Array("Name:\tx\n".utf8)) == nil)
    #expect(ProcessFigures.footprint(Array("RssAnon:\t kB\n".utf8)) == nil)
  }

  @Test func `names children`() {
    #expect(ProcessFigures.children(Array("12 345 ".utf8)) == [12, 345])
    #expect(ProcessFigures.children([]) == [])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An exit reason` {
  private static let excess = DiskExcess(folder: "/c", used: 11, ceiling: 10, unit: .files)
  static let table: [(ExitReason, kind: String, text: String)] = [
    (.exited(3), "exited", "exited with status 3"),
    (.crashed(9), "crashed", "crashed with SIGKILL (killed)"),
    (
      .crashedNearCeiling(6, used: 30 << 20, ceiling: 32 << 20), "crashed",
      "crashed with SIGABRT (abort), after it had used 30 MiB of memory with a ceiling of 32 MiB"
    ),
    (
      .memory(used: 33 << 20 | 1 << 19, ceiling: 32 << 20), "memory",
      "was ended for its memory: it used 33.5 MiB, and 32 MiB are allowed"
    ),
    (
      .cpu(used: .milliseconds(10_200), ceiling: .seconds(10), isIdle: true), "cpu",
      "was ended for its processor time: it used 10.2 s while no request was open, and 10 s are allowed"
    ),
    (.diskQuota(excess), "diskQuota", "was ended for its files: /c holds 11 files, and 10 are allowed"),
    (
      .threads(used: 130, ceiling: 128), "threads", "was ended for its threads: it had 130, and 128 are allowed"
    ),
    (
      .hostMemory(held: 129 << 20, ceiling: 128 << 20), "hostMemory",
      "was ended for the host's memory: it held 129 MiB of it, and 128 MiB are allowed"
    ),
    (.handshakeTimeout, "handshakeTimeout", "was ended because it did not answer the handshake in time"),
    (
      .diskQuota(DiskExcess(folder: "/c", used: 0, ceiling: 1 << 20, unit: .uncountable)), "diskQuota",
      "was ended for its files: /c holds files that the host could not count, and 1 MiB are allowed"
    ),
    (.stopped("so"), "stopped", "was stopped by the host: so"),
  ]

  @Test(arguments: table)
  func `is a word for programs and a sentence for people`(reason: ExitReason, kind: String, text: String) {
    #expect(reason.kind == kind && reason.description == text)
    #expect(reason.details["reason"] == .string(kind))
    #expect(!reason.isLimit || reason.recovery != nil)
    #expect(!reason.isLimit || reason.details["figure"] != nil && reason.details["ceiling"] != nil)
  }
}
