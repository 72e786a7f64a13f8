import MeasuredHost
import BenchmarkResults
import CommandLineTool
import ExtensionProtocol
import Files
import Glibc
import HostServices

/// The `benchmarks` program: see its `--help`.
@main
struct Benchmarks {
  static let command = Command(
    "benchmarks", summary: "Measure the host and its extensions beside a floor in C",
    discussion: """
      Without a WORKLOAD every workload runs, three times by turns with its floor: two C programs that exchange the same \
      bytes over pipes, without JSON and without a sandbox. Read the ratios: times depend on the machine. A ratio that \
      is more than 25 % worse than the baseline's is printed as a regression. Where the processor counts them, \
      the instructions of one use stand beside it, of both sides together: they differ little from run to run.

      With a WORKLOAD and a COUNT, the product alone is measured and one line of key=value is printed: \
      \(OneLine.names.joined(separator: ", ")). mem starts COUNT extensions, prints "ready" and waits for a line; alive starts them all at once.

      The workloads of the table are: \(Workload.all.map(\.name).joined(separator: ", ")).

      After all of them, or alone with --peers, Annex takes turns with hosts of other kinds, as far as they are installed: \
      \(Peers.names.joined(separator: ", ")). Scripts/peers/run --help says which Debian packages bring them.
      """,
    example: "benchmarks rtt 20000 --sandbox full",
    options: [
      .flag("peers", "Compare with hosts of other kinds only"),
      .value(
        "sandbox", "TIER", "The sandbox of the one-line form", default: "full",
        values: .choices(SandboxChoice.allCases.map(\.rawValue))),
      .value("output", "FILE", "Where the results are written", values: .file),
      .value("baseline", "FILE", "The ratios to compare with", values: .file),
      .flag("update-baseline", "Write the ratios of this run into the baseline"),
      .flag("no-spin", "In the one-line form: the host's loop sleeps at once"),
      .flag("quiet", short: "q", "Leave out notes"),
    ],
    arguments: [
      .init("WORKLOAD", "One workload only", .optional), .init("COUNT", "How often, for the one-line form", .optional),
    ])

  @concurrent static func main() async {
    signal(SIGPIPE, SIG_IGN)
    exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ words: [String]) async -> ExitStatus {
    var console = Console.standard(verbosity: .normal, environment: [:])
    do {
      let parsed = try CommandLineParser(command).parse(words, environment: [:])
      console = Console.standard(verbosity: parsed.flag("quiet") ? .quiet : .normal, environment: [:])
      switch parsed.request {
      case .run: return try await run(parsed, console)
      case .help:
        console.write(Help.page(parsed.commands, width: console.terminal.width ?? 80))
        return .success
      case .version:
        console.print("benchmarks (protocol \(ProtocolVersion.supported.joined(separator: ", ")))")
        return .success
      }
    } catch let error as CommandLineError {
      console.fail(error)
      return .usage
    } catch {
      console.fail("\(error)")
      return .failure
    }
  }

  private static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
    let output = parsed.value("output") ?? "\(BenchFiles.package)/.build/bench.json"
    if parsed.flag("peers") {
      guard parsed.argument("WORKLOAD") == nil else {
        throw CommandLineError("--peers takes no WORKLOAD.", help: "benchmarks --peers")
      }
      return try Peers(console: console, besides: output).run()
    }
    if let word = parsed.argument("COUNT") { try becomeHost(parsed, count: word) }
    return try await BenchFiles.withTemporaryFolder { folder in
      let bench = try Bench(products: BenchFiles.products, folder: folder, points: Features.points)
      let status = try await Run(
        bench: bench, console: console, workloads: chosen(parsed.argument("WORKLOAD")),
        output: output,
        baseline: parsed.value("baseline") ?? "\(BenchFiles.package)/Sources/Tool/Benchmarks/Baseline.json",
        updatesBaseline: parsed.flag("update-baseline")
      ).run()
      if parsed.argument("WORKLOAD") == nil { _ = try Peers(console: console, besides: output).run() }
      return status
    }
  }

  /// The one-line form is a program of its own, which has nothing but the host in it.
  private static func becomeHost(_ parsed: ParsedCommand, count word: String) throws -> Never {
    guard let name = parsed.argument("WORKLOAD"), OneLine.names.contains(name) else {
      throw CommandLineError(
        "With a COUNT, the workload is one of \(OneLine.names.joined(separator: ", ")).",
        help: "Leave COUNT out to measure a workload of the table.")
    }
    guard let count = Int(word), (1...10_000_000).contains(count) else {
      throw CommandLineError("COUNT is not a whole number above 0.", help: "benchmarks rtt 20000")
    }
    let choice = parsed.value("sandbox") ?? SandboxChoice.full.rawValue
    let program = "\(BenchFiles.products)/benchmark-host"
    let words = [program, name, String(count), choice, parsed.flag("no-spin") ? "no-spin" : "spin"]
    Floor.withArguments(words) { _ = execv(program, &$0) }
    throw BenchmarkError("\(program) cannot be run: \(SystemError.last).")
  }

  /// The workload of a name, else those whose names begin with it; all without one.
  private static func chosen(_ word: String?) throws(CommandLineError) -> [Workload] {
    guard let word else { return Workload.all }
    let found = Workload.all.filter { $0.name == word }
    guard found.isEmpty else { return found }
    let family = Workload.all.filter { $0.name.hasPrefix(word) }
    guard family.isEmpty else { return family }
    throw CommandLineError(
      "There is no workload “\(word.escapedForTerminal)”.",
      help: didYouMean(nearMisses(of: word, in: Workload.all.map(\.name))) ?? "See --help for the list.")
  }
}
