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

  @Test func `are each a line of its own name`() {
    var metrics = HostMetrics()
    (metrics.alive, metrics.kept, metrics.openRequests, metrics.waitingRequests) = (1, 2, 3, 4)
    (metrics.descriptors, metrics.descriptorLimit, metrics.warmRequests) = (5, 6, 7)
    (metrics.bytesReceived, metrics.bytesSent) = (8, 9)
    metrics.launches.add(1_000_000_000, failed: true)
    metrics.launches.add(2_000_000_000, failed: false)
    let lines = metrics.prometheusText().split(separator: "\n").map(String.init)
    #expect(
      lines.filter { !$0.hasPrefix("#") && !$0.contains("{") } == [
        "annex_alive_extensions 1", "annex_kept_extensions 2", "annex_open_requests 3", "annex_waiting_requests 4",
        "annex_open_descriptors 5", "annex_descriptor_limit 6", "annex_launch_seconds_sum 3.0",
        "annex_launch_seconds_count 2", "annex_launch_errors_total 1", "annex_warm_requests_total 7",
        "annex_received_bytes_total 8", "annex_sent_bytes_total 9",
      ])
    let gauges = lines.filter { $0.hasPrefix("# TYPE") && $0.hasSuffix(" gauge") }
    #expect(gauges.count == 6 && gauges.last == "# TYPE annex_descriptor_limit gauge")
    let histograms = lines.filter { $0.hasSuffix(" histogram") }
    #expect(histograms == ["# TYPE annex_launch_seconds histogram"])
    // What never happened is told of failures alone, whose kinds are known.
    let counters = lines.filter { $0.hasSuffix(" counter") }.compactMap { $0.split(separator: " ").dropFirst(2).first }
    #expect(
      counters == [
        "annex_launch_errors_total", "annex_warm_requests_total", "annex_received_bytes_total",
        "annex_sent_bytes_total", "annex_failures_total",
      ])
  }

  @Test func `are counted each time, those of a point by whoever calls there`() {
    let meter = HostMeter()
    let recorders = ["used", "used", "served", "quiet"].map { CallRecorder(for: meter, point: $0) }
    #expect(meter.snapshot == HostMetrics())
    for round in 1...2 as ClosedRange<Int64> {
      recorders[0].record(.call, "a/b", since: 0, at: 5_000, failed: true)
      recorders[1].record(.call, "a/c", since: 0, at: 7_000, failed: false)
      recorders[2].record(.served, "a/b", since: 0, at: 9_000, failed: true)
      meter.launch(took: 11_000, failed: false)
      meter.launch(took: 13_000, failed: true)
      meter.warm()
      meter.traffic(received: 3, sent: 4)
      let metrics = meter.snapshot
      #expect(metrics.calls.keys.sorted() == ["used"] && metrics.served.keys.sorted() == ["served"])
      #expect(metrics.calls["used"]?.times.count == 2 * round && metrics.calls["used"]?.errors == round)
      #expect(metrics.calls["used"]?.times.sum == 12_000 * round)
      #expect(metrics.served["served"]?.times.sum == 9_000 * round && metrics.served["served"]?.errors == round)
      #expect(metrics.launches.times.sum == 24_000 * round && metrics.launches.errors == round)
      #expect(metrics.warmRequests == round)
      #expect(metrics.bytesReceived == 3 * round && metrics.bytesSent == 4 * round)
    }
  }

  @Test func `of files are told by extension and method, in order`() {
    var statistics = ExtensionStatistics()
    (statistics.launches, statistics.failures, statistics.warm) = (1, 2, 3)
    statistics.launch.add(nanoseconds: 1_000_000_000)
    for (name, count) in [("b/y", 2), ("a/x", 1)] {
      var method = ExtensionStatistics.Method()
      for _ in 0..<count { method.latency.add(nanoseconds: 1_000) }
      method.errors = Int64(count) * 10
      statistics.calls[name] = method
    }
    statistics.served["c/z"] = statistics.calls["b/y"]
    let text = PrometheusText([("e.one", statistics), ("e.two", ExtensionStatistics())]).text
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.contains("_bucket") }
    let one = lines.filter { $0.contains("e.one") && !$0.contains("_sum") }.map(String.init)
    #expect(
      one == [
        #"annex_extension_launches_total{extension="e.one"} 1"#,
        #"annex_extension_failures_total{extension="e.one"} 2"#,
        #"annex_extension_warm_requests_total{extension="e.one"} 3"#,
        #"annex_extension_launch_seconds_count{extension="e.one"} 1"#,
        #"annex_extension_call_seconds_count{extension="e.one",method="a/x"} 1"#,
        #"annex_extension_call_seconds_count{extension="e.one",method="b/y"} 2"#,
        #"annex_extension_call_errors_total{extension="e.one",method="a/x"} 10"#,
        #"annex_extension_call_errors_total{extension="e.one",method="b/y"} 20"#,
        #"annex_extension_served_call_seconds_count{extension="e.one",method="c/z"} 2"#,
        #"annex_extension_served_call_errors_total{extension="e.one",method="c/z"} 20"#,
      ])
    #expect(lines.count { $0.contains("e.two") } == 5)
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
