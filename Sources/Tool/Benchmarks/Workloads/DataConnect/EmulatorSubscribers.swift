import MeasuredHost
import BenchmarkResults
import CDataFloor
import EventLoop
import Glibc
import HTTPServer

extension Workload {
  /// Memory of the emulator for each of a thousand subscribers that hear nothing, each of a row of its own.
  static let emulatorSubscribers = Workload(
    name: "emulator-subscribers",
    summary: "Heap of the emulator for each of 1,000 idle subscribers to rows of their own, beside 16 KiB",
    unit: .kibibytes, count: MeasuredProject.trips
  ) { bench, count in
    try await MeasuredEmulator.run(in: bench.folder) { emulator in
      try raiseDescriptorLimit(to: UInt(2 * count + 512))
      let port = emulator.address.port
      // A server that has never had any makes things that it keeps.
      let first = try await SystemThread.run(name: "subscribers", { Result { try subscribers(0..<20, port) } }).get()
      let before = data_floor_heap_bytes()
      let rest = try await SystemThread.run(name: "subscribers", { Result { try subscribers(0..<count, port) } }).get()
      let after = data_floor_heap_bytes()
      withExtendedLifetime((first, rest)) {}
      // Not what the process has of the system: that holds what was freed before, which is used first.
      return Reading((Double(after) - Double(before)) / 1024 / Double(count))
    }
  } floor: { _, _ in
    // No C beside it has queries to remember: what one may take.
    Reading(16)
  }

  private static func subscribers(_ numbers: Range<Int>, _ port: Int) throws -> [BareSubscriber] {
    try numbers.map { try BareSubscriber(port: port, row: $0) }
  }

  /// The server and all its clients are this process.
  private static func raiseDescriptorLimit(to wanted: UInt) throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    if limit.rlim_cur >= wanted { return }
    limit.rlim_cur = min(max(wanted, limit.rlim_cur), limit.rlim_max)
    guard limit.rlim_cur >= wanted, setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      throw BenchmarkError("This process may open \(limit.rlim_max) files only, and needs \(wanted).")
    }
  }
}
