import BenchmarkResults
import CFloor
import Files
import Glibc

/// How many instructions one use of a workload takes on both sides together, outside of the kernel, as the processor counts
/// them: nearly the same from run to run, where times are not. It is the difference between many uses and few.
package struct InstructionCount: Sendable {
  /// The name in the one-line form.
  package let name: String
  package let few: Int
  package let many: Int

  /// - Returns: `nil` on a machine that does not count.
  /// - Throws: when a run fails.
  package func measure(_ bench: Bench) throws -> Double? {
    guard let most = try instructions(bench, many), let least = try instructions(bench, few) else { return nil }
    // A tenth as many uses, and one, warm up.
    return (most - least) / Double((many + many / 10) - (few + few / 10))
  }

  private func instructions(_ bench: Bench, _ count: Int) throws -> Double? {
    let command = ["\(bench.products)/benchmark-host", name, "\(count)", "full", "no-spin"]
    var instructions: UInt64 = 0
    let error = Floor.withArguments(command) { floor_count_instructions(&$0, &instructions) }
    if [ENOENT, EACCES, EPERM, ENOSYS].contains(error) { return nil }
    if error != 0 { throw BenchmarkError("\(command.joined(separator: " ")): \(SystemError(error))") }
    return Double(instructions)
  }
}
