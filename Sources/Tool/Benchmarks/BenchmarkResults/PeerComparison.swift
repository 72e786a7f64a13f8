import HTML
package import JSON

/// The figures of hosts of different kinds, each measured as a program of its own, by turns.
package struct PeerComparison: Sendable {
  /// A row of the table: one number that every host prints for a workload.
  package struct Figure: Sendable, Hashable {
    /// The first cell of the row.
    package let name: String
    /// The workload that a host is called with.
    package let workload: String
    /// The key in the line that the host prints.
    package let key: String
    /// The unit of the number in the table.
    package let unit: Unit
    /// How many of what the host prints make one of the unit.
    var per = 1.0
  }

  /// The rows, from top to bottom.
  package static let figures = [
    Figure(name: "cold", workload: "cold", key: "ms_p50", unit: .milliseconds),
    Figure(name: "rtt", workload: "rtt", key: "us_p50", unit: .microseconds),
    Figure(name: "pipe", workload: "pipe", key: "rps", unit: .requestsPerSecond),
    Figure(name: "payload", workload: "payload", key: "mbps", unit: .megabytesPerSecond),
    Figure(name: "objects", workload: "objects", key: "mbps", unit: .megabytesPerSecond),
    Figure(name: "mem-each", workload: "mem-host", key: "kib_each", unit: .kibibytes),
    Figure(name: "mem-host", workload: "mem-host", key: "kib_host", unit: .mebibytes, per: 1024),
  ]

  /// The workloads, each with the count of a round.
  package static let workloads = [
    (name: "cold", count: 30), (name: "rtt", count: 10_000), (name: "pipe", count: 20_000),
    (name: "payload", count: 30), (name: "objects", count: 30), (name: "mem-host", count: 20),
  ]

  /// The host that is compared with the peers.
  package let product: String
  /// The hosts, in the order of the columns: the product, the product without what a peer does not have, the peers.
  package let hosts: [String]
  /// The other projects' hosts.
  package let peers: [String]
  private var rounds: [String: [Figure: [Double]]] = [:]

  /// Creates a comparison without figures.
  ///
  /// - Parameter variants: other forms of the product, which are shown and not compared.
  package init(product: String, variants: [String] = [], peers: [String]) {
    self.product = product
    self.peers = peers
    hosts = [product] + variants + peers
  }

  /// Adds what a host printed in one round.
  ///
  /// - Throws: `BenchmarkError` when the line lacks a figure of the workload or cannot be read; nothing is added then.
  package mutating func add(_ line: String, from host: String, for workload: String) throws {
    let values = try Self.values(in: line)
    let figures = Self.figures.filter { $0.workload == workload }
    for figure in figures where values[figure.key] == nil {
      throw BenchmarkError("\(host) printed no \(figure.key): “\(line.prefix(200))”.")
    }
    for figure in figures {
      if let value = values[figure.key] { rounds[host, default: [:]][figure, default: []].append(value / figure.per) }
    }
  }

  /// The numbers of a line of `key=value`, with spaces between.
  ///
  /// - Throws: `BenchmarkError` for anything else, for a key that comes twice, and for a number that is below 0 or not finite.
  package static func values(in line: String) throws -> [String: Double] {
    var values: [String: Double] = [:]
    for word in line.split(separator: " ") {
      let parts = word.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, values[String(parts[0])] == nil, let value = Double(parts[1]),
        value.isFinite, value >= 0
      else { throw BenchmarkError("“\(line.prefix(200))” is not a line of key=value.") }
      values[String(parts[0])] = value
    }
    return values
  }

  /// The median of a host's rounds; `nil` where no round succeeded.
  package func value(of figure: Figure, for host: String) -> Double? {
    guard let values = rounds[host]?[figure], !values.isEmpty else { return nil }
    return Samples(values).median
  }

  /// The cells of each row: the name of the figure, its unit, and the number of each host.
  package var rows: [[String]] {
    Self.figures.map { figure in
      [figure.name, figure.unit.rawValue] + hosts.map { number(of: figure, for: $0) }
    }
  }

  /// A sentence for each row in which a peer is ahead of the product. One sentence in their place when none is, or when
  /// that cannot be said because a figure is missing.
  package var verdicts: [String] {
    guard !peers.isEmpty else { return [] }
    let sentences = Self.figures.compactMap { figure -> String? in
      guard let own = value(of: figure, for: product) else { return nil }
      let ahead = peers.filter { peer in
        value(of: figure, for: peer).map { figure.unit.moreIsBetter ? $0 > own : $0 < own } ?? false
      }
      guard !ahead.isEmpty else { return nil }
      let names = ahead.map { "\($0) (\(text(of: figure, for: $0)))" }.joined(separator: ", ")
      return "\(figure.name): \(product) (\(text(of: figure, for: product))) is behind \(names)."
    }
    guard sentences.isEmpty else { return sentences }
    let isWhole = Self.figures.allSatisfy { figure in
      ([product] + peers).allSatisfy { value(of: figure, for: $0) != nil }
    }
    return isWhole
      ? ["No peer that is installed is ahead of \(product) in any row."]
      : ["Figures are missing, so the rows do not say whether a peer is ahead of \(product)."]
  }

  /// `{workload, host, value, unit}` for each figure of each host.
  package var json: JSONValue {
    let rows = Self.figures.flatMap { figure in
      hosts.compactMap { host -> JSONValue? in
        guard let value = value(of: figure, for: host) else { return nil }
        var row = JSONObject()
        row["workload"] = .string(figure.name)
        row["host"] = .string(host)
        row["value"] = .double(value)
        row["unit"] = .string(figure.unit.rawValue)
        return .object(row)
      }
    }
    return .array(rows)
  }

  /// The rows as bars in a picture in SVG: the best host of each row has the longest bar, and one that takes twice as long
  /// half of it.
  package var picture: String {
    let bars = Self.figures.flatMap { figure -> [BarPlot.Bar] in
      let values = hosts.compactMap { value(of: figure, for: $0) }
      let best = (figure.unit.moreIsBetter ? values.max() : values.min()) ?? 0
      return hosts.compactMap { host in
        guard let value = value(of: figure, for: host) else { return nil }
        let (part, whole) = figure.unit.moreIsBetter ? (value, best) : (best, value)
        return BarPlot.Bar(
          label: "\(figure.name), \(host)", value: whole > 0 ? part / whole : 1, caption: text(of: figure, for: host))
      }
    }
    return BarPlot(title: "Hosts side by side (the best of each row has the longest bar)", bars: bars).document
  }

  private func text(of figure: Figure, for host: String) -> String {
    "\(number(of: figure, for: host)) \(figure.unit.rawValue)"
  }

  private func number(of figure: Figure, for host: String) -> String {
    value(of: figure, for: host).map { Number.text($0) } ?? "-"
  }
}
