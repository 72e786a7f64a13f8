import BenchmarkResults
import CFloor
import CLinux
import EchoContract
package import ExtensionHosting
import Files
import Glibc

/// What a thousand extensions cost that are alive at once.
package struct Alive: Sendable {
  package static let count = 1000
  /// How long they are watched while they wait.
  package static let idle = Duration.seconds(10)
  /// Until nothing is left to do of their start: the folders of each have been counted.
  package static let settling = Duration.seconds(5)

  /// For each extension, of the host: KiB of memory, and descriptors.
  package var hostMemory: Double
  package var descriptors: Double
  /// Percent of one processor that the host takes while all wait, and that the extensions and their launchers take.
  package var idleHost: Double
  package var idleExtensions: Double
  /// Milliseconds until all have answered a call.
  package var startTime: Double
  /// Milliseconds for one call to each, one after the other.
  package var round: Double

  package var line: String {
    "kib_per_extension=\(Number.text(hostMemory, digits: 1)) descriptors=\(Number.text(descriptors, digits: 2))"
      + " idle_percent=\(Number.text(idleHost, digits: 2)) idle_percent_extensions=\(Number.text(idleExtensions, digits: 2))"
      + " start_ms=\(Number.text(startTime, digits: 0)) round_ms=\(Number.text(round, digits: 1))"
  }
}

extension Workload {
  /// One run of it takes half a minute: all rows, and all their rounds, show the same one.
  package static let alive = [
    row("alive-1000", "Memory of the host for each of 1,000 extensions that run", .kibibytes, "kib_per_extension") {
      _, _ in
      // As for fewer: a host in C keeps a page of numbers for each.
      4
    },
    row("alive-1000-descriptors", "Descriptors of the host for each of them", .none, "descriptors") { _, _ in
      // Three pipes.
      3
    },
    row("alive-1000-idle", "Part of a processor that the host takes while all of them wait", .percent, "idle_percent") {
      _, _ in
      1
    },
    row("alive-1000-start", "From the first start until all of them have answered", .milliseconds, "start_ms") {
      bench, count in
      try bench.startsOfFloor(count)
    },
  ]

  private static func row(
    _ name: String, _ summary: String, _ unit: Unit, _ key: String,
    floor: @escaping @Sendable (Bench, Int) throws -> Double
  ) -> Workload {
    Workload(name: name, summary: summary, unit: unit, count: Alive.count) { _, count in
      Reading(try OtherProgram.value(key, in: try await AliveRun.shared.line(count)))
    } floor: { bench, count in
      Reading(try floor(bench, count))
    }
  }
}

/// The run that several rows show.
private actor AliveRun {
  static let shared = AliveRun()
  private var known: String?

  func line(_ count: Int) throws -> String {
    if let known { return known }
    let line = try OtherProgram.line(of: OtherProgram.measuredHost("alive", count))
    known = line
    return line
  }
}

extension Bench {
  /// Starts extensions all at once, and looks at the host while they wait.
  package func alive(_ count: Int) async throws -> Alive {
    try await withHost(.full, spins: false, changing: change(count)) { host in
      try await host.withEchoes(1) {}
      let memory = try ProcessMemory.kibibytes("Rss", of: getpid())
      let descriptors = Self.descriptors
      let start = ContinuousClock.now
      return try await host.withEchoesAtOnce(count) { echoes in
        let started = ContinuousClock.now - start
        try await Task.sleep(for: Alive.settling)
        let grown = try ProcessMemory.kibibytes("Rss", of: getpid()) - memory
        let open = Self.descriptors - descriptors
        let (host, others) = try await Self.idlePercent(Alive.idle)
        let begin = ContinuousClock.now
        for echo in echoes { _ = try await echo.call(EchoText(text: "round")) }
        let round = ContinuousClock.now - begin
        return Alive(
          hostMemory: Double(max(0, grown)) / Double(count), descriptors: Double(open) / Double(count),
          idleHost: host, idleExtensions: others, startTime: started / .milliseconds(1), round: round / .milliseconds(1)
        )
      }
    }
  }

  /// Room for all of them, and time for the last one to be launched on a machine that is slow or busy.
  private func change(_ count: Int) -> (inout ExtensionHost.Configuration) -> Void {
    { configuration in
      configuration.capacity.processes = count + 1
      configuration.deadlines.queue = .seconds(600)
    }
  }

  private static var descriptors: Int { Folder.names(in: "/proc/self/fd").count }

  /// Milliseconds for starting floors one after the other, with one answer each.
  fileprivate func startsOfFloor(_ count: Int) throws -> Double {
    let start = ContinuousClock.now
    for _ in 0..<count {
      try floor.withPlugin { plugin in
        guard floor_round_trip(&plugin, Floor.request, Floor.request.count, nil) == 0 else {
          throw BenchmarkError("The floor failed.")
        }
      }
    }
    return (ContinuousClock.now - start) / .milliseconds(1)
  }

  /// Percent of one processor: of this process, and of everything below it.
  private static func idlePercent(_ time: Duration) async throws -> (host: Double, others: Double) {
    let tree = ProcessMemory.descendants
    func used(_ pids: [Int32]) -> UInt64 {
      pids.reduce(0) { sum, pid in
        var time: UInt64 = 0
        return sum + (clinux_process_time(pid, &time) == 0 ? time : 0)
      }
    }
    let before = (host: used([getpid()]), others: used(tree))
    try await Task.sleep(for: time)
    let after = (host: used([getpid()]), others: used(tree))
    let nanoseconds = time / .nanoseconds(1)
    return (
      Double(after.host - before.host) / nanoseconds * 100,
      Double(after.others > before.others ? after.others - before.others : 0) / nanoseconds * 100
    )
  }
}

extension EchoHost {
  /// Starts extensions all at once, makes one call to each, and runs the body while all of them live.
  package func withEchoesAtOnce<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable ([ExtensionProcess]) async throws -> Result
  ) async throws -> Result {
    let (ready, echoes) = AsyncStream.makeStream(of: ExtensionProcess.self)
    let gates = (0..<count).map { _ in AsyncStream.makeStream(of: Void.self) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      defer { for gate in gates { gate.continuation.finish() } }
      for gate in gates {
        group.addTask {
          // A start that fails ends the wait for all.
          defer { echoes.finish() }
          try await withEcho { echo in
            _ = try await echo.call(EchoText(text: "first"))
            echoes.yield(echo)
            for await _ in gate.stream {}
          }
        }
      }
      var alive: [ExtensionProcess] = []
      while alive.count < count {
        guard let echo = await ready.first(where: { _ in true }) else { break }
        alive.append(echo)
      }
      let result: Result? = alive.count == count ? try await body(alive) : nil
      for gate in gates { gate.continuation.finish() }
      try await group.waitForAll()
      guard let result else { throw BenchmarkError("Not all of \(count) extensions could be started.") }
      return result
    }
  }
}
