import MeasuredHost
import BenchmarkResults
import CommandLineTool
import Files
import Glibc
import JSON

/// Annex beside the hosts of other kinds that are installed. Each is a program of its own that prints one line, wherever
/// the scheduler puts it, and they take turns.
struct Peers {
  /// What `Scripts/peers/run` knows.
  static let names = ["go-plugin-grpc", "go-plugin-rpc", "node", "python"]

  let console: Console
  /// Where the figures are written. The picture stands beside them.
  let output: String

  /// Within the whole run, or alone.
  ///
  /// - Parameter results: where the ratios are written, `….json`; the figures of the peers go to `…-peers.json`.
  init(console: Console, besides results: String) {
    self.console = console
    output = "\(results.hasSuffix(".json") ? String(results.dropLast(5)) : results)-peers.json"
  }

  func run() throws -> ExitStatus {
    let peers = try Self.names.filter(isInstalled)
    guard !peers.isEmpty else { return .failure }
    var comparison = PeerComparison(product: "annex-full", variants: ["annex-none"], peers: peers)
    for (workload, count) in PeerComparison.workloads {
      console.note("peers, \(workload): \(comparison.hosts.joined(separator: ", "))")
      for _ in 0..<Workload.rounds {
        for host in comparison.hosts {
          do {
            try comparison.add(Self.line(from: host, workload, count), from: host, for: workload)
          } catch {
            console.warn("\(host) was left out of a round of \(workload): \(error)")
          }
        }
      }
    }
    try show(comparison)
    return .success
  }

  private func show(_ comparison: PeerComparison) throws {
    let hosts = comparison.hosts.map { TextTable.Column($0, .right) }
    var table = TextTable([TextTable.Column("WORKLOAD"), TextTable.Column("")] + hosts)
    for row in comparison.rows { table.add(row.map { TextTable.Cell($0) }) }
    console.print(table)
    for sentence in comparison.verdicts { console.print("\(sentence)") }
    try BenchFiles.write("\(JSONCoding.prettyText(of: comparison.json))\n", to: output)
    let picture = "\(output.dropLast(5)).svg"
    try BenchFiles.write(comparison.picture, to: picture)
    console.note("The figures of the peers are in \(output), as a picture in \(picture).")
  }

  /// Whether a peer can run here. Its version is noted, or why it cannot.
  private func isInstalled(_ peer: String) throws -> Bool {
    let (status, lines) = try Self.execute([Self.script, peer, "version"])
    if status == 0 {
      console.note("\(peer): \(lines.last ?? "")")
    } else {
      console.note("\(peer) is left out: \(lines.first ?? "status \(status)")")
    }
    return status == 0
  }

  private static var script: String { "\(BenchFiles.package)/Scripts/peers/run" }

  /// The line that a host prints.
  ///
  /// - Throws: when it prints none or fails.
  private static func line(from host: String, _ workload: String, _ count: Int) throws -> String {
    let words =
      host.hasPrefix("annex-")
      ? [
        "\(BenchFiles.products)/benchmark-host", workload, String(count), String(host.dropFirst("annex-".count)),
        "spin",
      ]
      : [script, host, workload, String(count)]
    let (status, lines) = try execute(words)
    // A host may say something on standard error after its line, when its plugin is gone.
    let line = lines.last { (try? PeerComparison.values(in: $0).isEmpty) == false }
    guard status == 0, let line else {
      throw BenchmarkError("\(lines.last ?? "It printed nothing.") (status \(status))")
    }
    return line
  }

  /// Runs a program to its end, with a deadline.
  ///
  /// - Returns: its exit status, 124 past the deadline and 128 for a signal, and its lines on both outputs.
  private static func execute(_ words: [String]) throws -> (status: Int32, lines: [String]) {
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
