import BenchmarkResults
import Files
import Glibc

/// A program of its own that measures and prints one line of `key=value`. Memory is measured so: what a process has freed
/// before would be counted as if it took none.
package enum OtherProgram {
  /// The command of the host that has nothing else in it.
  package static func measuredHost(
    _ workload: String, _ count: Int, _ tier: String = "full", spins: Bool = false
  ) -> [String] {
    ["\(BenchFiles.products)/benchmark-host", workload, String(count), tier, spins ? "spin" : "no-spin"]
  }

  /// The line that a program prints.
  ///
  /// - Throws: when it prints none or fails.
  package static func line(of words: [String]) throws -> String {
    let (status, lines) = try run(words)
    // A host may say something on standard error after its line, when its plugin is gone.
    let line = lines.last { (try? PeerComparison.values(in: $0).isEmpty) == false }
    guard status == 0, let line else {
      throw BenchmarkError("\(lines.last ?? "It printed nothing.") (status \(status))")
    }
    return line
  }

  /// A number of that line.
  package static func value(_ key: String, in line: String) throws -> Double {
    guard let value = try PeerComparison.values(in: line)[key] else {
      throw BenchmarkError("\(key) is not in “\(line)”.")
    }
    return value
  }

  /// Runs a program to its end, with a deadline.
  ///
  /// - Returns: its exit status, 124 past the deadline and 128 for a signal, and its lines on both outputs.
  package static func run(_ words: [String]) throws -> (status: Int32, lines: [String]) {
    let command = (["timeout", "--foreground", "--kill-after=10", "300"] + words)
      .map { "'\($0.replacing("'", with: #"'\''"#))'" }.joined(separator: " ")
    guard let pipe = popen("\(command) </dev/null 2>&1", "r") else {
      throw BenchmarkError("Cannot start \(words[0]): \(SystemError.last).")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
      if bytes.count < 1 << 16 { bytes += buffer[..<count] }
    }
    let status = pclose(pipe)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128, lines)
  }
}
