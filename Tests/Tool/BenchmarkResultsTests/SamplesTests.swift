import BenchmarkResults
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A series of samples` {
  @Test(
    arguments: [
      ([], 0), ([3], 3), ([3, 1], 2), ([9, 1, 5], 5), ([4, 1, 3, 2], 2.5),
    ] as [([Double], Double)])
  func `have a middle`(values: [Double], median: Double) {
    #expect(Samples(values).median == median)
  }

  @Test(arguments: [(0, 1), (1, 1), (50, 50), (98.5, 99), (99, 99), (100, 100)] as [(Double, Double)])
  func `have percentiles by nearest rank`(percent: Double, value: Double) {
    #expect(Samples((1...100).map(Double.init)).percentile(percent) == value)
  }

  @Test func `of nothing have no percentile`() {
    #expect(Samples([]).percentile(99) == 0)
  }

  @Test func `convert nanoseconds`() {
    #expect(Samples(nanoseconds: [1500, 500], per: 1000).sorted == [0.5, 1.5])
  }
}
