import ExtensionHosting
import JSON
import JSONRPC
import Testing

/// What `host stats` makes of what was counted, which a test writes as a host does.
@Suite(.timeLimit(.minutes(1)))
struct `host stats on what was counted` {
  /// In the order in which they are written, which is not that of the report.
  private static let (first, second) = ("com.example.büro.ä", "com.example.zoo")
  private static let clock = "com.example.adventures.clock"

  /// The calls of a method, each of which took some nanoseconds.
  private static func method(_ times: UInt64..., errors: Int64 = 0) -> ExtensionStatistics.Method {
    var method = ExtensionStatistics.Method()
    for time in times { method.latency.add(nanoseconds: time) }
    method.errors = errors
    return method
  }

  private func tool() async throws -> HostTool {
    let host = try HostTool()
    let store = StatisticsStore(StateDirectory(path: host.home))
    var second = ExtensionStatistics()
    (second.launches, second.failures, second.warm) = (2, 0, 2)
    second.runs = [.init(ended: 7, peakMemory: 2 << 20, processorTime: 1_500_000)]
    try await store.add(second, to: Self.second)
    var first = ExtensionStatistics()
    (first.launches, first.failures, first.warm) = (1, 1, 1)
    first.launch.add(nanoseconds: 1_000_000_000)
    first.calls = ["b/two": Self.method(12_340_000, errors: 1), "a/one": Self.method(9_876_000)]
    first.served = ["d/four": Self.method(500), "c/three": Self.method(123_400_000)]
    first.served["e/five"] = Self.method(1_000_000)
    first.runs = [(3, 5_000), (1, 2_000), (2, 3_000)].map { (mebibytes: Int64, time: Int64) in
      ExtensionStatistics.Run(ended: 1.5, peakMemory: mebibytes << 20, processorTime: time)
    }
    try await store.add(first, to: Self.first)
    return host
  }

  /// The lines, with one space where there are more.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").joined(separator: " ") }
  }

  @Test func `is a table for each extension, with times in the unit that suits them`() async throws {
    let host = try await tool()
    let all = try await host("stats")
    let head = "WHAT COUNT ERRORS P50 P90 P99 LONGEST"
    func row(_ name: String, _ errors: Int, _ time: String) -> String {
      "\(name) 1 \(errors) \(time) \(time) \(time) \(time)"
    }
    let first = [
      "\(Self.first): 1 launch, 1 failure, 1 request served by kept processes", head,
      row("launch to ready", 0, "1 s"), row("→ a/one", 0, "9.88 ms"), row("→ b/two", 1, "12.3 ms"),
      row("← c/three", 0, "123 ms"), row("← d/four", 0, "0.5 µs"), row("← e/five", 0, "1 ms"),
      "the last 3 processes: memory 1 MiB to 3 MiB, processor time 2 ms to 5 ms",
    ]
    let second = [
      "\(Self.second): 2 launches, 0 failures, 2 requests served by kept processes", head,
      "the last process: memory 2 MiB to 2 MiB, processor time 1.5 s to 1.5 s",
    ]
    #expect(lines(all.stdout) == first + [""] + second + [""], "\(all)")
    #expect(all.status == 0 && all.stderr == "", "\(all)")
    // What is named comes in that order, and what was never started has nothing.
    let named = try await host("stats", Self.second, Self.clock)
    #expect(lines(named.stdout) == second + ["", "\(Self.clock): 0 launches, 0 failures", head, ""], "\(named)")
  }

  @Test func `is a document, a picture and a text for Prometheus`() async throws {
    let host = try await tool()
    let picture = "\(host.folder.path)/times.svg"
    let output = try await host("stats", "--json", "--svg", picture)
    #expect(output.status == 0 && output.stderr == "", "\(output)")
    let document = try #require(try output.json.arrayValue)
    #expect(document.map { $0["id"] } == [.string(Self.first), .string(Self.second)])
    let (first, second) = (document[0], document[1])
    let members = ["id", "launches", "failures", "warm", "launch", "calls", "served", "runs"]
    #expect(Program.Output.names(first) == members && Program.Output.names(second) == members)
    #expect(first["launches"] == 1 && first["failures"] == 1 && first["warm"] == 1)
    #expect(second["launches"] == 2 && second["failures"] == 0 && second["warm"] == 2)
    let times = ["p50Microseconds", "p90Microseconds", "p99Microseconds", "maxMicroseconds"]
    #expect(Program.Output.names(first["launch"]) == ["count"] + times && first["launch"]?["count"] == 1)
    #expect(times.allSatisfy { first["launch"]?[$0]?.doubleValue == 1_000_000 })
    #expect(second["launch"]?["count"] == 0 && times.allSatisfy { second["launch"]?[$0] == .null })
    let two = first["calls"]?["b/two"]
    #expect(Program.Output.names(first["calls"]) == ["a/one", "b/two"])
    #expect(Program.Output.names(two) == ["count", "errors"] + times && two?["errors"] == 1 && two?["count"] == 1)
    #expect(times.allSatisfy { two?[$0]?.doubleValue == 12_340 })
    #expect(Program.Output.names(first["served"]) == ["c/three", "d/four", "e/five"])
    let run = first["runs"]?[0]
    #expect(run?["ended"]?.doubleValue == 1.5 && run?["peakMemoryBytes"] == .integer(3 << 20))
    #expect(run?["processorMicroseconds"] == 5_000 && first["runs"]?.arrayValue?.count == 3)
    let drawn = try #require(host.folder.contents("times.svg"))
    for text in ["ä launch to ready", "ä → b/two", "12.3 ms", "1 s"] { #expect(drawn.contains(text), "\(drawn)") }
    #expect(!drawn.contains("zoo") && !drawn.contains("com.example"), "\(drawn)")
    let metrics = try await host("stats", "--prometheus")
    #expect(metrics.status == 0 && metrics.stderr == "" && metrics.stdout.hasPrefix("# HELP "), "\(metrics)")
    #expect(metrics.stdout.contains("b/two") && metrics.stdout.contains("büro.ä"), "\(metrics)")
    let both = try await host("stats", "--prometheus", "--json")
    #expect(both.status == 64 && both.stderr == "", "\(both)")
    #expect(try both.json["message"] == "--prometheus is a format, and so is --json.")
  }

  @Test func `says that nothing was counted`() async throws {
    let host = try HostTool()
    let none = try await host("stats")
    #expect(none.status == 0 && none.stdout == "", "\(none)")
    #expect(none.stderr == "Nothing was counted yet. Run an extension first.\n", "\(none)")
    let document = try await host("stats", "--json")
    #expect(document.status == 0 && document.stderr == "", "\(document)")
    #expect(try document.json == [])
  }
}
