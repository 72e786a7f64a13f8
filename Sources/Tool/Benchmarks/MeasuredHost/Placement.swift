import BenchmarkResults
import CLinux
import Files
import Glibc

/// On which CPUs the two ends run. Where a scheduler puts them decides between 5 and 46 microseconds a round trip, so
/// round trips are measured at fixed places.
///
/// A program inherits the place of the one that starts it: `enter`, start the other end, `moveHost`, measure, `leave`.
package enum Placement: Sendable {
  case oneCPU, twoCPUs, anywhere

  /// Puts this process where the other end shall run.
  package func enter() throws {
    switch self {
    case .anywhere: break
    case .oneCPU: try pin(0)
    case .twoCPUs:
      guard clinux_cpu_count() > 1 else { throw BenchmarkError("This workload needs two CPUs.") }
      try pin(0)
    }
  }

  /// Puts this process where the host shall run.
  package func moveHost() throws {
    if self == .twoCPUs { try pin(1) }
  }

  /// Gives this process all its CPUs back.
  package func leave() {
    if self != .anywhere { clinux_pin_process(-1) }
  }

  private func pin(_ index: Int32) throws {
    let error = clinux_pin_process(clinux_cpu_at(index))
    if error != 0 { throw BenchmarkError("Cannot choose a CPU: \(SystemError(error)).") }
  }
}
