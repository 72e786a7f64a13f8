package import ExtensionHosting
package import HTML

/// How long the launches and the calls of extensions took, as bars.
package struct LatencyPlot {
  /// The bars.
  package let plot: BarPlot
  /// The most calls that have a bar.
  private static let most = 24

  /// The 99th percentile of the launches and of each method of one extension.
  package init(title: String, _ statistics: ExtensionStatistics) {
    plot = BarPlot(title: title, bars: Self.bars(of: statistics))
  }

  /// The 99th percentile of the launches of several extensions.
  package init(launchesOf all: [(id: String, statistics: ExtensionStatistics)]) {
    plot = BarPlot(
      title: "From the decision to start to the handshake, 99 of 100 launches at most",
      bars: all.prefix(Self.most).compactMap { Self.bar($0.id, $0.statistics.launch) })
  }

  private static func bars(of statistics: ExtensionStatistics) -> [BarPlot.Bar] {
    let calls = statistics.calls.map { ("→ \($0.key)", $0.value.latency) }
    let served = statistics.served.map { ("← \($0.key)", $0.value.latency) }
    let sorted = (calls + served).sorted { $0.0 < $1.0 }.prefix(most)
    return ([("launch to ready", statistics.launch)] + sorted).compactMap { bar($0.0, $0.1) }
  }

  private static func bar(_ label: String, _ latency: LatencyHistogram) -> BarPlot.Bar? {
    guard let time = latency.quantile(0.99) else { return nil }
    return BarPlot.Bar(label: label, value: Double(time), caption: text(time))
  }

  /// A time with its unit, one digit after the point below 10.
  static func text(_ nanoseconds: Int64) -> String {
    let units: [(Double, String)] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    let value = Double(nanoseconds)
    let (size, name) = units.first { value >= $0.0 } ?? (1e3, "µs")
    let tenths = (value / size * 10).rounded() / 10
    return tenths < 10 && tenths != tenths.rounded() ? "\(tenths) \(name)" : "\(Int(tenths.rounded())) \(name)"
  }
}

/// What the last processes of an extension used, as two rows of columns.
struct RunPlots {
  /// The peak of the memory of each.
  let memory: ColumnPlot
  /// The processor time of each.
  let time: ColumnPlot

  init(_ runs: [ExtensionStatistics.Run]) {
    memory = ColumnPlot(
      title: "Peak memory", columns: runs.map { .init(value: Double($0.peakMemory), caption: Self.memory($0)) })
    time = ColumnPlot(
      title: "Processor time", columns: runs.map { .init(value: Double($0.processorTime), caption: Self.time($0)) })
  }

  static func memory(_ run: ExtensionStatistics.Run) -> String { ByteText.of(UInt64(clamping: run.peakMemory)) }

  static func time(_ run: ExtensionStatistics.Run) -> String { LatencyPlot.text(run.processorNanoseconds) }
}
