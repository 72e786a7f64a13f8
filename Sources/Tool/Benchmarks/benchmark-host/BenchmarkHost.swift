import Glibc
import MeasuredHost

/// A host of extensions and nothing else, as an embedder has it: `benchmarks WORKLOAD COUNT` and the comparison with other
/// hosts run this program, which prints one line.
///
/// It takes what `benchmarks` gives it: a workload, a count, the tier of the sandbox, and “spin” or “no-spin”.
@main
struct BenchmarkHost {
  @concurrent static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 4, let count = Int(words[2]), let choice = SandboxChoice(rawValue: words[3]) else {
      fail("usage: benchmark-host WORKLOAD COUNT none|light|full spin|no-spin", 64)
    }
    do {
      try await BenchFiles.withTemporaryFolder { folder in
        let bench = try Bench(products: BenchFiles.products, folder: folder)
        try await OneLine.run(words[1], count: count, choice, spins: words[4] == "spin", bench)
      }
    } catch {
      fail("error: \(error)", 1)
    }
    exit(0)
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    let line = Array("\(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(status)
  }
}
