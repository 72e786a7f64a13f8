import BenchmarkResults
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A comparison with peers` {
  static let workloads = PeerComparison.workloads.map(\.name)

  /// A line in which every figure of every workload has the same number.
  static func line(_ value: Double) -> String {
    Set(PeerComparison.figures.map(\.key)).map { "\($0)=\(value)" }.sorted().joined(separator: " ")
  }

  /// Every figure of each host has one number.
  static func comparison(_ product: Double, _ peers: [String: Double]) throws -> PeerComparison {
    var comparison = PeerComparison(product: "own", peers: peers.keys.sorted())
    for workload in workloads {
      try comparison.add(line(product), from: "own", for: workload)
      for (peer, value) in peers { try comparison.add(line(value), from: peer, for: workload) }
    }
    return comparison
  }

  @Test func `reads a line of numbers`() throws {
    #expect(try PeerComparison.values(in: "ms_p50=1.25 ms_p99=30") == ["ms_p50": 1.25, "ms_p99": 30])
    #expect(try PeerComparison.values(in: "") == [:])
  }

  @Test(arguments: [
    "ready", "rps=", "=1", "rps=1=2", "rps=x", "rps=-1", "rps=nan", "rps=inf", "rps=1 rps=2", "rps=1 and more",
    "error: rps=1",
  ])
  func `refuses a line of anything else`(line: String) {
    #expect(throws: BenchmarkError.self) { try PeerComparison.values(in: line) }
  }

  @Test func `takes the median of the rounds, and nothing of a line that lacks a figure`() throws {
    var comparison = PeerComparison(product: "own", peers: ["other"])
    for value in ["9", "2", "4"] { try comparison.add("rps=\(value)", from: "other", for: "pipe") }
    #expect(throws: BenchmarkError.self) { try comparison.add("mbps=1", from: "other", for: "pipe") }
    #expect(throws: BenchmarkError.self) { try comparison.add("kib_each=1", from: "other", for: "mem-host") }
    for figure in PeerComparison.figures {
      #expect(comparison.value(of: figure, for: "other") == (figure.name == "pipe" ? 4 : nil))
      #expect(comparison.value(of: figure, for: "own") == nil)
    }
  }

  @Test func `has a row for each figure, a cell for each host, and a count for each workload`() throws {
    var comparison = PeerComparison(product: "own", variants: ["bare"], peers: ["b", "a"])
    try comparison.add("us_p50=12.5 us_p99=90", from: "b", for: "rtt")
    #expect(comparison.hosts == ["own", "bare", "b", "a"])
    #expect(comparison.rows.map(\.first) == PeerComparison.figures.map(\.name))
    #expect(comparison.rows.contains(["rtt", "us", "-", "-", "12.5", "-"]))
    #expect(Set(PeerComparison.figures.map(\.workload)) == Set(Self.workloads))
    #expect(PeerComparison.workloads.allSatisfy { $0.count > 0 })
  }

  @Test func `names each peer that is ahead, whichever way is better`() throws {
    var comparison = try Self.comparison(10, ["a": 10, "b": 10, "c": 10])
    for _ in 0..<2 {
      try comparison.add("us_p50=5", from: "a", for: "rtt")
      try comparison.add("us_p50=4", from: "c", for: "rtt")
      try comparison.add("rps=20", from: "b", for: "pipe")
      try comparison.add("rps=5", from: "c", for: "pipe")
    }
    #expect(
      comparison.verdicts == [
        "rtt: own (10.0 us) is behind a (5.00 us), c (4.00 us).", "pipe: own (10.0 req/s) is behind b (20.0 req/s).",
      ])
  }

  @Test func `says once that no peer is ahead`() throws {
    #expect(try Self.comparison(10, ["a": 10]).verdicts == ["No peer that is installed is ahead of own in any row."])
  }

  @Test func `does not compare forms of the product with each other`() throws {
    var comparison = PeerComparison(product: "own", variants: ["bare"], peers: ["a"])
    for workload in Self.workloads {
      for host in ["own", "a"] { try comparison.add(Self.line(10), from: host, for: workload) }
      try comparison.add(Self.line(workload == "pipe" ? 20 : 5), from: "bare", for: workload)
    }
    #expect(comparison.verdicts == ["No peer that is installed is ahead of own in any row."])
  }

  @Test(arguments: ["own", "a"]) func `claims nothing where a figure is missing`(host: String) throws {
    var comparison = PeerComparison(product: "own", peers: ["a"])
    for workload in Self.workloads {
      for other in ["own", "a"] where other != host || workload != "payload" {
        try comparison.add(Self.line(10), from: other, for: workload)
      }
    }
    #expect(
      comparison.verdicts == ["Figures are missing, so the rows do not say whether a peer is ahead of own."])
  }

  @Test func `claims nothing without peers`() throws {
    #expect(try Self.comparison(10, [:]).verdicts.isEmpty)
  }

  @Test func `is an array with an object for each number`() throws {
    var comparison = PeerComparison(product: "own", peers: ["a"])
    try comparison.add("rps=100", from: "own", for: "pipe")
    try comparison.add("kib_each=12.5 kib_host=9216", from: "a", for: "mem-host")
    #expect(
      comparison.json == [
        ["workload": "pipe", "host": "own", "value": 100.0, "unit": "req/s"],
        ["workload": "mem-each", "host": "a", "value": 12.5, "unit": "KiB"],
        ["workload": "mem-host", "host": "a", "value": 9.0, "unit": "MiB"],
      ])
  }

  @Test func `is a picture with a longer bar for what is better`() throws {
    var comparison = PeerComparison(product: "own", peers: ["a<b"])
    try comparison.add("us_p50=10", from: "own", for: "rtt")
    try comparison.add("us_p50=40", from: "a<b", for: "rtt")
    let picture = comparison.picture
    #expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n"))
    #expect(picture.contains(">rtt, own<") && picture.contains(">10.0 us<"))
    #expect(picture.contains(">rtt, a&lt;b<") && picture.contains(">40.0 us<"))
    let widths = picture.matches(of: #/<rect [^>]*width="(\d+)"/#).compactMap { Int($0.1) }
    #expect(widths.count == 2 && widths.first.map { $0 / 4 } == widths.last, "\(widths)")
    #expect(PeerComparison(product: "own", peers: []).picture.hasPrefix("<svg "))
  }
}
