import CommandLineTool
import ExtensionHosting
import ExtensionProtocol
import Foundation
import JSON
import TestSupport
import Testing

@testable import HostCLI

/// `host stats`.
@Suite(.timeLimit(.minutes(1)))
struct `What was counted of extensions` {
  private static let id = ToolStage.widget
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private func count(_ id: String = Self.id, _ change: (inout ExtensionStatistics) -> Void) async throws {
    var statistics = ExtensionStatistics()
    change(&statistics)
    try await StatisticsStore(stage.state).add(statistics, to: id)
  }

  private func stats(_ words: String..., bundles: [String] = []) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    return try await StatsCommand.run(try stage.invocation(["stats"] + words, bundles: bundles))
  }

  private static let times: [(nanoseconds: UInt64, text: String)] = [
    (0, "0 µs"), (1_000, "1 µs"), (1_004, "1 µs"), (1_250, "1.25 µs"), (12_345, "12.3 µs"), (123_456, "123 µs"),
    (1_000_000, "1 ms"), (1_234_567, "1.23 ms"), (9_996_000, "10 ms"), (45_670_000, "45.7 ms"),
    (1_500_000_000, "1.5 s"),
    (61_200_000_000, "61.2 s"),
  ]

  @Test(arguments: times) func `has times of three digits`(nanoseconds: UInt64, text: String) async throws {
    try await count { $0.launch.add(nanoseconds: nanoseconds) }
    #expect(try await stats() == .success)
    #expect(stage.lines.last == "launch to ready 1 0 \(text) \(text) \(text) \(text)")
  }

  @Test func `is a sentence and a row for each direction and method`() async throws {
    try await count {
      $0.launches = 2
      $0.failures = 1
      $0.warm = 1
      var method = ExtensionStatistics.Method()
      method.latency.add(nanoseconds: 2_000)
      method.errors = 1
      $0.calls = ["b/b": method, "a/a": method]
      $0.served = ["c/c": method]
    }
    #expect(try await stats() == .success)
    #expect(stage.lines.first == "\(Self.id): 2 launches, 1 failure, 1 request served by kept processes")
    let names = stage.lines.dropFirst(2).map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
    #expect(names == ["→ a/a 1 1", "→ b/b 1 1", "← c/c 1 1"])
  }

  @Test func `leaves out what there was none of, but launches and failures`() async throws {
    try await count { $0.launches = 1 }
    #expect(try await stats() == .success)
    #expect(stage.lines.first == "\(Self.id): 1 launch, 0 failures")
    #expect(stage.lines.count == 2)
  }

  @Test func `says between which bounds the last processes used memory and time`() async throws {
    try await count { $0.runs = [.init(ended: 1_000, peakMemory: 3 << 20, processorTime: 4)] }
    #expect(try await stats() == .success)
    let one = ByteText.of(3 << 20)
    #expect(
      stage.lines.last == "the last process: memory \(one) to \(one), processor time 4 µs to 4 µs")
    try await count { $0.runs = [.init(ended: 2_000, peakMemory: 1 << 20, processorTime: 5_000)] }
    #expect(try await stats() == .success)
    #expect(
      stage.lines.last
        == "the last 2 processes: memory \(ByteText.of(1 << 20)) to \(one), processor time 4 µs to 5 ms")
  }

  @Test func `is told of the extensions that are named, in that order, else of all`() async throws {
    try await count("org.example.a") { $0.launches = 1 }
    try await count("org.example.b") { $0.launches = 2 }
    #expect(try await stats("org.example.b", "org.example.a") == .success)
    #expect(stage.output.hasPrefix("org.example.b: 2 launches,"))
    #expect(stage.output.contains("\n\norg.example.a: 1 launch,"))
    #expect(try await stats() == .success)
    #expect(stage.output.hasPrefix("org.example.a: ") && stage.output.contains("\n\norg.example.b: "))
  }

  @Test func `is nothing of an extension that has not run, and an error of what there is not`() async throws {
    let bundle = try stage.write()
    #expect(try await stats(Self.id, bundles: [bundle]) == .success)
    #expect(stage.lines.first == "\(Self.id): 0 launches, 0 failures")
    let error = await #expect(throws: ExtensionError.self) { try await stats("org.example.none", bundles: [bundle]) }
    #expect(error?.code == .extensionUnknown)
    #expect(try await stats() == .success)
    #expect(stage.output == "" && stage.errors == "Nothing was counted yet. Run an extension first.\n")
  }

  @Test func `has microseconds in JSON, and null where there was nothing`() async throws {
    try await count {
      $0.launches = 1
      $0.launch.add(nanoseconds: 1_250)
      $0.calls = ["a/a": ExtensionStatistics.Method()]
      $0.runs = [.init(ended: 1_000, peakMemory: 5, processorTime: 6)]
    }
    #expect(try await stats("--json") == .success)
    let document = try #require(stage.document?.arrayValue?.first)
    #expect(document["id"] == .string(Self.id) && document["launches"] == 1 && document["failures"] == 0)
    #expect(document["launch"]?["count"] == 1 && document["launch"]?["p50Microseconds"]?.doubleValue == 1.25)
    #expect(document["launch"]?["maxMicroseconds"]?.doubleValue == 1.25 && document["launch"]?["errors"] == nil)
    #expect(document["calls"]?["a/a"]?["p99Microseconds"] == .null && document["calls"]?["a/a"]?["errors"] == 0)
    #expect(document["calls"]?["a/a"]?["maxMicroseconds"] == .null)
    #expect(document["runs"]?.arrayValue?.count == 1)
    #expect(document["runs"]?.arrayValue?.first?["peakMemoryBytes"] == 5)
  }

  @Test func `is text for Prometheus, which is no JSON`() async throws {
    try await count { $0.launches = 3 }
    #expect(try await stats("--prometheus") == .success)
    #expect(stage.output.contains(Self.id) && stage.output.contains("# "))
    let error = await #expect(throws: CommandLineError.self) { try await stats("--prometheus", "--json") }
    #expect(error?.message == "--prometheus is a format, and so is --json.")
    #expect(stage.output == "")
  }

  @Test func `is a picture with a bar for each row that has a time`() async throws {
    try await count {
      $0.launch.add(nanoseconds: 2_000_000)
      $0.calls = ["a/a": ExtensionStatistics.Method()]
    }
    let path = stage.folder.file("picture.svg")
    #expect(try await stats("--svg", path) == .success)
    #expect(stage.errors == "Wrote \(path).\n")
    let picture = try String(contentsOfFile: path, encoding: .utf8)
    #expect(picture.contains("clock launch to ready") && picture.contains("2 ms") && !picture.contains("a/a"))
  }
}
