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
    let (status, lines) = try OtherProgram.run([Self.script, peer, "version"])
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
      ? OtherProgram.measuredHost(workload, count, String(host.dropFirst("annex-".count)), spins: true)
      : [script, host, workload, String(count)]
    return try OtherProgram.line(of: words)
  }
}
