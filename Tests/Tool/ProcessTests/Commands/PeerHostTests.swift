import Foundation
import Testing

/// The hosts of other kinds that the benchmarks are compared with, as far as `Scripts/setup` installs them.
@Suite(.timeLimit(.minutes(2)))
struct `A host of another kind` {
  private func run(_ words: String..., path: String = "/usr/bin:/bin") async throws -> Program.Output {
    try await Program(
      "/bin/bash", ["\(Build.package)/Scripts/peers/run"] + words, environment: ["PATH": path, "LANG": "C.UTF-8"]
    ).finish(within: .seconds(90))
  }

  @Test(arguments: ["node", "python"]) func `prints one line of numbers for each workload`(peer: String) async throws {
    let keys = [
      ("cold", ["ms_p50", "ms_p99"]), ("rtt", ["us_p50", "us_p99"]), ("pipe", ["rps"]), ("payload", ["mbps"]),
      ("objects", ["mbps"]), ("mem-host", ["kib_each", "kib_host"]),
    ]
    for (workload, keys) in keys {
      let shown = try await run(peer, workload, workload == "pipe" ? "200" : "2")
      #expect(shown.status == 0 && shown.stderr == "", "\(shown)")
      let parts = shown.stdout.dropLast().split(separator: " ").map { $0.split(separator: "=") }
      #expect(parts.compactMap { $0.first.map(String.init) } == keys, "\(shown)")
      #expect(parts.allSatisfy { Double($0.last ?? "").map { $0 >= 0 } ?? false }, "\(shown)")
    }
    #expect(try await run(peer, "version").stdout.contains("."))
  }

  @Test(arguments: [["node", "rtt"], ["node", "rtt", "0"], ["node", "swim", "1"], ["nobody", "rtt", "1"], []])
  func `is called with a peer, a workload and a count`(words: [String]) async throws {
    let shown = try await Program("/bin/bash", ["\(Build.package)/Scripts/peers/run"] + words).finish()
    #expect(shown.status == 64 && shown.stderr.hasPrefix("error: ") && shown.stdout == "", "\(shown)")
  }
}
