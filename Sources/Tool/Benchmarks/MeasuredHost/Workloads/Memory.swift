package import BenchmarkResults
import CFloor
import EchoContract
import ExtensionHosting
import Glibc

extension Workload {
  /// How much memory extensions cost, idle after one call.
  package static let memory = [
    Workload(
      name: "mem-extension", summary: "Resident memory of an idle extension, one of 20", unit: .mebibytes, count: 1
    ) {
      bench, _ in
      try await bench.memoryOfEcho("Rss")
    } floor: { bench, _ in
      try bench.memoryOfFloor("Rss")
    },
    Workload(
      name: "mem-extension-pss", summary: "The same, shared pages divided among their users", unit: .mebibytes, count: 1
    ) { bench, _ in
      try await bench.memoryOfEcho("Pss")
    } floor: { bench, _ in
      try bench.memoryOfFloor("Pss")
    },
    Workload(
      name: "mem-host", summary: "Memory of the host for each of 50 extensions that run", unit: .kibibytes, count: 50
    ) { _, count in
      Reading(
        try OtherProgram.value("kib_each", in: OtherProgram.line(of: OtherProgram.measuredHost("mem-host", count))))
    } floor: { _, _ in
      // A host in C keeps three numbers for each plugin: one page holds them all.
      Reading(4)
    },
  ]
}

extension Bench {
  /// Of one among several that share their code, as they do in use.
  package static let alive = 20

  package func memoryOfEcho(_ field: String) async throws -> Reading {
    try await withHost(.full) { host in
      try await host.withEchoes(Self.alive) {
        guard let pid = ProcessMemory.descendant(named: "Echo") else {
          throw BenchmarkError("The extension's process cannot be found.")
        }
        return Reading(Double(try ProcessMemory.kibibytes(field, of: pid)) / 1024)
      }
    }
  }

  fileprivate func memoryOfFloor(_ field: String, alive: Int = Self.alive) throws -> Reading {
    try floor.withPlugin { plugin in
      guard floor_round_trip(&plugin, Floor.request, Floor.request.count, nil) == 0 else {
        throw BenchmarkError("The floor failed.")
      }
      if alive > 1 { return try memoryOfFloor(field, alive: alive - 1) }
      return Reading(Double(try ProcessMemory.kibibytes(field, of: plugin.pid)) / 1024)
    }
  }

  /// KiB of the host for each extension, and what it had before.
  package func memoryOfHost(_ choice: SandboxChoice = .full, count: Int) async throws -> (each: Double, alone: Int) {
    try await withHost(choice) { host in
      try await host.withEchoes(1) {}
      let before = try ProcessMemory.kibibytes("Rss", of: getpid())
      let after = try await host.withEchoes(count) { try ProcessMemory.kibibytes("Rss", of: getpid()) }
      return (Double(max(0, after - before)) / Double(count), before)
    }
  }
}

extension EchoHost {
  /// Starts a number of extensions, makes one call to each, and runs the body while all of them live.
  package func withEchoes<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    if count == 0 { return try await body() }
    return try await withEcho { echo in
      _ = try await echo.call(EchoText(text: "first"))
      return try await withEchoes(count - 1, body)
    }
  }
}
