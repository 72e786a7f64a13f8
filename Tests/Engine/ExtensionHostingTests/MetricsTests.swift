import ExtensionProtocol
import Testing

@testable import ExtensionHosting

/// What a host counts, and how it is told.
@Suite(.timeLimit(.minutes(1)))
struct `The metrics of a host` {
  @Test func `count requests, errors and failures by names of the host's own`() {
    let meter = HostMeter()
    meter.request(of: "com.example.clock", took: 2_000_000, error: nil)
    meter.request(of: "com.example.clock", took: 3_000, error: ExtensionError(.peerExited, "gone"))
    meter.request(of: "com.example.clock", took: 3_000, error: CancellationError())
    let own = ExtensionError(ExtensionError.Code(number: -32999, name: "of the peer's \" own\n"), "x")
    meter.request(of: "com.example.clock", took: 3_000, error: own)
    meter.failure(of: "com.example.clock", .crashed)
    let metrics = meter.snapshot
    #expect(metrics.extensions["com.example.clock"]?.requests.times.count == 4)
    #expect(metrics.extensions["com.example.clock"]?.requests.errors == 3)
    #expect(metrics.requestErrors == ["peerExited": 1, "cancelled": 1, "other": 1])
    #expect(metrics.failures == [.crashed: 1])
  }

  @Test func `have no more series than the table allows, whatever is asked for`() {
    let meter = HostMeter()
    for number in 0..<5000 {
      meter.request(of: "com.example.\(number)", took: 1, error: ExtensionError(.init(number: number), "x"))
      meter.failure(of: "com.example.\(number)", .hung)
    }
    let metrics = meter.snapshot
    #expect(metrics.extensions.count == HostMetrics.extensionLimit + 1)
    #expect(metrics.extensions["other"]?.requests.times.count == Int64(5000 - HostMetrics.extensionLimit))
    #expect(metrics.requestErrors.count <= ExtensionError.Code.table.count + 1)
  }

  @Test func `are families of lines`() throws {
    var metrics = HostMetrics()
    metrics.alive = 3
    var timing = HostMetrics.Timing()
    timing.add(3_000_000, failed: true)
    metrics.calls["today"] = timing
    let lines = metrics.prometheusText().split(separator: "\n").map(String.init)
    #expect(lines.contains("# TYPE annex_alive_extensions gauge") && lines.contains("annex_alive_extensions 3"))
    #expect(lines.contains("# TYPE annex_call_seconds histogram"))
    #expect(lines.contains(#"annex_call_seconds_bucket{point="today",le="0.001024"} 0"#), "\(lines)")
    #expect(lines.contains(#"annex_call_seconds_bucket{point="today",le="0.004096"} 1"#))
    #expect(lines.contains(#"annex_call_seconds_bucket{point="today",le="+Inf"} 1"#))
    #expect(lines.contains(#"annex_call_seconds_sum{point="today"} 0.003"#))
    #expect(lines.contains(#"annex_call_seconds_count{point="today"} 1"#))
    #expect(lines.contains(#"annex_call_errors_total{point="today"} 1"#))
    #expect(lines.contains(#"annex_failures_total{kind="crashed"} 0"#))
    // Every line is a comment or one sample, and every family stands together.
    var families: [String] = []
    for line in lines {
      if line.hasPrefix("# HELP ") { families.append(String(line.split(separator: " ")[2])) }
      guard !line.hasPrefix("#") else { continue }
      let name = String(line.prefix { $0 != "{" && $0 != " " })
      #expect(try name.hasPrefix(#require(families.last)), "\(line)")
      #expect(Double(line.split(separator: " ").last ?? "") != nil, "\(line)")
    }
    #expect(Set(families).count == families.count)
  }

  @Test func `name each extension with its requests, their errors and its failures`() {
    let meter = HostMeter()
    for (id, count) in [("b.second", 2), ("a.first", 1)] {
      for _ in 0..<count { meter.request(of: id, took: 1, error: ExtensionError(.cancelled, "x")) }
      meter.request(of: id, took: 1, error: nil)
      meter.failure(of: id, .hung)
    }
    let lines = meter.snapshot.prometheusText().split(separator: "\n").filter { $0.contains("extension=") }
    let totals = lines.filter { $0.contains("_total{") || $0.contains("_count{") }.map { String($0) }
    #expect(
      totals == [
        #"annex_request_seconds_count{extension="a.first"} 2"#,
        #"annex_request_seconds_count{extension="b.second"} 3"#,
        #"annex_extension_request_errors_total{extension="a.first"} 1"#,
        #"annex_extension_request_errors_total{extension="b.second"} 2"#,
        #"annex_extension_failures_total{extension="a.first"} 1"#,
        #"annex_extension_failures_total{extension="b.second"} 1"#,
      ])
  }

  @Test(arguments: [
    ("plain", "plain"), ("a\"b\\c\nd", #"a\"b\\c\nd"#), ("\u{1B}[31m\u{202E}", "?[31m?"),
    (String(repeating: "é", count: 100), String(repeating: "é", count: 64) + "…"),
  ])
  func `escape and cut the values of labels`(value: String, text: String) {
    #expect(PrometheusText.escaped(value) == text)
  }

  @Test func `sum times up, also those of files that have no sum`() throws {
    var times = LatencyHistogram()
    for nanoseconds in [400, 1_500_000, 2_000_000_000] as [UInt64] { times.add(nanoseconds: nanoseconds) }
    #expect(times.sum == 2_001_500_000)
    var twice = times
    twice.add(times)
    #expect(twice.sum == 2 * times.sum)
    #expect(twice.cumulativeSteps.first?.count == 2 && twice.cumulativeSteps.last?.count == 6)
  }
}
