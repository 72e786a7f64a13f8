import JSONRPC
import JSON
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `A latency histogram` {
  @Test func `has steps that follow each other`() {
    for step in 1..<LatencyHistogram.steps {
      let end = LatencyHistogram.upperEnd(of: step)
      #expect(end > LatencyHistogram.upperEnd(of: step - 1))
    }
    var last = 0
    for exponent in 0..<43 {
      for nanoseconds in [UInt64(1) << UInt64(exponent), UInt64(3) << UInt64(exponent)] {
        let step = LatencyHistogram.step(of: nanoseconds)
        #expect(step >= last || nanoseconds < UInt64(3) << UInt64(max(0, exponent - 1)))
        last = max(last, step)
      }
    }
    #expect(LatencyHistogram.step(of: .max) == LatencyHistogram.steps - 1)
  }

  @Test(arguments: [500, 1_000, 5_300, 62_000, 1_400_000, 10_000_000, 3_000_000_000] as [UInt64])
  func `finds a time again, to a factor of √2`(nanoseconds: UInt64) throws {
    var histogram = LatencyHistogram()
    histogram.add(nanoseconds: nanoseconds)
    histogram.add(nanoseconds: nanoseconds * 1000)
    let half = try #require(histogram.quantile(0.5))
    #expect(half >= Int64(nanoseconds))
    #expect(Double(half) <= max(1000, Double(nanoseconds) * 1.5))
    #expect(histogram.longest == Int64(nanoseconds) * 1000)
    #expect(histogram.quantile(1) == histogram.longest)
  }

  @Test func `of nothing has no quantile`() { #expect(LatencyHistogram().quantile(0.5) == nil) }

  @Test func `orders its quantiles`() throws {
    var histogram = LatencyHistogram()
    for microseconds in 1...10_000 { histogram.add(nanoseconds: UInt64(microseconds) * 1000) }
    let quantiles = [0.5, 0.9, 0.99, 1].compactMap { histogram.quantile($0) }
    #expect(quantiles == quantiles.sorted())
    #expect((5_000_000...7_100_000).contains(quantiles[0]))
    #expect((9_000_000...10_000_000).contains(quantiles[1]))
    #expect(quantiles[3] == 10_000_000)
  }

  @Test func `adds up, and survives a file`() throws {
    var one = LatencyHistogram()
    var other = LatencyHistogram()
    var both = LatencyHistogram()
    for index in 0..<1000 {
      let time = UInt64(index * index * 37)
      if index % 3 == 0 { one.add(nanoseconds: time) } else { other.add(nanoseconds: time) }
      both.add(nanoseconds: time)
    }
    one.add(other)
    #expect(one == both)
    #expect(try JSONCoding.decode(LatencyHistogram.self, from: JSONCoding.encode(both)) == both)
  }
}
