import HTML
import Testing

@testable import ExtensionHosting
@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `The bars of the times` {
  private func times(_ nanoseconds: UInt64...) -> LatencyHistogram {
    var times = LatencyHistogram()
    for time in nanoseconds { times.add(nanoseconds: time) }
    return times
  }

  private func method(_ nanoseconds: UInt64) -> ExtensionStatistics.Method {
    var method = ExtensionStatistics.Method()
    method.latency = times(nanoseconds)
    return method
  }

  @Test func `begin with the launch, and have the calls by their names, in both directions`() {
    var statistics = ExtensionStatistics()
    #expect(LatencyPlot(title: "T", statistics).plot.bars.isEmpty)
    statistics.calls = ["m/b": method(3_000_000), "m/a": method(2_000_000), "m/none": .init()]
    statistics.served = ["s/a": method(4_000_000)]
    var plot = LatencyPlot(title: "T", statistics).plot
    #expect(plot.title == "T" && plot.bars.map(\.label) == ["← s/a", "→ m/a", "→ m/b"])
    #expect(plot.bars.map(\.caption) == ["4 ms", "2 ms", "3 ms"] && plot.bars.map(\.value) == [4e6, 2e6, 3e6])
    statistics.launch = times(5_000_000)
    plot = LatencyPlot(title: "T", statistics).plot
    #expect(plot.bars.map(\.label).first == "launch to ready" && plot.bars.count == 4)
  }

  @Test func `are 24 calls, or 24 launches, at most`() {
    var statistics = ExtensionStatistics()
    statistics.launch = times(1)
    for number in 100..<125 { statistics.calls["m/\(number)"] = method(1_000) }
    let bars = LatencyPlot(title: "T", statistics).plot.bars
    #expect(bars.count == 25 && bars.last?.label == "→ m/123")
    let launches = (100..<125).map { (id: "\($0)", statistics: statistics) }
    let plot = LatencyPlot(launchesOf: launches).plot
    #expect(plot.bars.count == 24 && plot.bars.first?.label == "100" && plot.bars.last?.label == "123")
    #expect(LatencyPlot(launchesOf: [(id: "a", statistics: ExtensionStatistics())]).plot.bars.isEmpty)
  }

  @Test func `of the last processes are memory and processor time, each of its own`() {
    let runs = [
      ExtensionStatistics.Run(ended: 1, peakMemory: 2 << 20, processorTime: 1_500),
      ExtensionStatistics.Run(ended: 2, peakMemory: 1 << 20, processorTime: 3_000),
    ]
    let plots = RunPlots(runs)
    #expect(plots.memory.columns.map(\.value) == [2_097_152, 1_048_576])
    #expect(plots.time.columns.map(\.value) == [1_500, 3_000])
    #expect(plots.time.columns.map(\.caption) == ["1.5 ms", "3 ms"])
    #expect(plots.memory.title == "Peak memory" && plots.time.title == "Processor time")
  }
}
