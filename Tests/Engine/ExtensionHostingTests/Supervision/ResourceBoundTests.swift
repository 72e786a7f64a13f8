import ExtensionProtocol
import Testing

@testable import ExtensionHosting

/// The last form of a file that is read, and the first that is not.
@Suite(.timeLimit(.minutes(1)))
struct `A bound of what is seen of a process` {
  private func pages(_ text: String) -> ProcessFigures.Pages? { ProcessFigures.Pages(Array(text.utf8)) }

  private func times(_ count: Int) -> ProcessFigures.Times? {
    // The third field of the file is the first behind the name.
    let fields = (3..<3 + count).map(String.init).joined(separator: " ")
    return ProcessFigures.Times(Array("7 (a b) \(fields)".utf8))
  }

  @Test func `is a fourth number of pages, and as many shared ones as there are`() {
    #expect(pages("9 5 5 1") != nil && pages("9 5 6 1") == nil && pages("9 5 5") == nil)
    #expect(pages("9 5 0 1")?.shared == 0 && pages("9 0 0 1")?.resident == 0)
    #expect(pages("x 5 5 1") == nil && pages("9 x 5 1") == nil && pages("9 5 x 1") == nil)
  }

  @Test func `is the time of the start among the times`() {
    let found = times(20)
    // The fields 14 and 15, 20 and 22.
    #expect(found?.ticks == 29 && found?.threads == 20 && found?.startTime == 22)
    #expect(times(21) == found && times(22) == found && times(19) == nil)
    #expect(ProcessFigures.Times(Array("7 a b".utf8)) == nil)
  }

  @Test func `is a number that a process can have among children`() {
    let text = "2147483647 2147483648 x -1 5"
    #expect(ProcessFigures.children(Array(text.utf8)) == [.max, 5])
  }

  @Test func `is what counts as memory, of each kind by itself`() {
    for name in ["RssAnon", "RssShmem", "VmSwap", "VmPTE"] {
      #expect(ProcessFigures.footprint(Array("Name:\ta\n\(name):\t  7 kB\nRssFile: 9 kB\n".utf8)) == 7 << 10, "\(name)")
    }
    #expect(ProcessFigures.footprint(Array("RssAnon: 0 kB\n".utf8)) == 0)
    #expect(ProcessFigures.footprint(Array("RssFile: 9 kB\n".utf8)) == nil && ProcessFigures.footprint([]) == nil)
  }

  private func sample(memory: UInt64, threads: UInt64 = 1) -> ResourceStateMachine.Event {
    .sample(ResourceSample(time: .zero, cpu: .zero, memory: memory, threads: threads, oldestRequest: nil))
  }

  @Test func `is reached by memory before threads, and ends it once, whatever comes`() {
    var limits = ExtensionLimits(memoryMiB: 1)
    limits.threads = 1
    let memory = ExitReason.memory(used: (1 << 20) + 1, ceiling: 1 << 20)
    let excess = DiskExcess(folder: "/c", used: 2, ceiling: 1, unit: .files)
    for (event, reason) in [
      (sample(memory: (1 << 20) + 1, threads: 2), memory),
      (sample(memory: 1, threads: 2), .threads(used: 2, ceiling: 1)), (.disk(excess), .diskQuota(excess)),
      (.hidden, .watchdog("what it uses could not be seen")),
    ] as [(ResourceStateMachine.Event, ExitReason)] {
      var machine = ResourceStateMachine(limits: limits)
      #expect(machine.event(event) == [.terminate(reason)])
      for later in [event, .hidden, .disk(excess), sample(memory: 1 << 21)] { #expect(machine.event(later) == []) }
    }
  }

  @Test func `is warned of where there is hardly any memory, too`() {
    var none = ResourceStateMachine(limits: ExtensionLimits(memoryMiB: 0))
    let warning = MemoryWarning(level: .critical, usage: 0, limit: 0)
    #expect(none.event(sample(memory: 0)) == [.warn(warning)])
    #expect(none.event(sample(memory: 0)) == [])
    var limits = ExtensionLimits(memoryMiB: 0)
    limits.memory = 99
    var few = ResourceStateMachine(limits: limits)
    #expect(few.event(sample(memory: 79)) == [])
    #expect(few.event(sample(memory: 80)) == [.warn(MemoryWarning(level: .warning, usage: 80, limit: 99))])
    #expect(few.peak == 80)
    guard case .terminate? = few.event(sample(memory: 100)).first else {
      Issue.record("It goes on.")
      return
    }
    #expect(few.peak == 100)
  }
}
