import JSON
import Testing

@testable import ExtensionHosting

/// Where one step of a histogram ends and the next begins.
@Suite(.timeLimit(.minutes(1))) struct `A step of a histogram` {
  @Test(
    arguments: [
      (0, 0), (999, 0), (1_000, 1), (1_999, 1), (2_000, 3), (2_999, 3), (3_000, 4), (3_999, 4), (4_000, 5), (5_000, 5),
      (6_000, 6), (8_000, 7), (11_000, 7), (12_000, 8),
    ] as [(UInt64, Int)])
  func `is half of a power of two`(nanoseconds: UInt64, step: Int) {
    #expect(LatencyHistogram.step(of: nanoseconds) == step)
  }

  @Test func `ends where it does`() {
    #expect((0...6).map(LatencyHistogram.upperEnd) == [1_000, 1_414, 2_000, 2_828, 4_000, 5_656, 8_000])
  }

  @Test func `adds whole microseconds, rounded`() {
    var times = LatencyHistogram()
    #expect(times.sum == 0 && times.longest == 0 && times.count == 0)
    for (nanoseconds, sum) in [(499, 0), (500, 1_000), (1_499, 2_000), (1_500, 4_000)] as [(UInt64, Int64)] {
      times.add(nanoseconds: nanoseconds)
      #expect(times.sum == sum)
    }
    #expect(times.count == 4 && times.longest == 1_500)
    times.add(nanoseconds: 1)
    #expect(times.longest == 1_500)
    var other = LatencyHistogram()
    other.add(nanoseconds: 2_000)
    other.add(times)
    #expect(other.longest == 2_000 && other.count == 6 && other.sum == 6_000)
    times.add(other)
    #expect(times.longest == 2_000 && times.count == 11)
  }

  @Test func `holds the time at a rank`() {
    var times = LatencyHistogram()
    for microseconds in [1, 2, 3, 4] as [UInt64] { times.add(nanoseconds: microseconds * 1_000) }
    // The upper ends of the steps of 1, 2 and 3 µs, and the longest time in place of that of 4 µs.
    #expect([0, 0.25, 0.5, 0.75, 0.76, 1].map { times.quantile($0) } == [1_414, 1_414, 2_828, 4_000, 4_000, 4_000])
    #expect(times.cumulativeSteps.prefix(3).map(\.count) == [0, 3, 4])
    #expect(times.cumulativeSteps.prefix(3).map(\.end) == [1_000, 4_000, 16_000])
    #expect(times.cumulativeSteps.count == 16)
  }

  @Test func `of a file is left out behind the last one, and is never less than nothing`() throws {
    func read(_ text: String) throws -> LatencyHistogram {
      try JSONCoding.decode(LatencyHistogram.self, from: Array(text.utf8))
    }
    let zeros = Array(repeating: "0", count: 63).joined(separator: ",")
    let full = try read(#"{"counts":[\#(zeros),2,9],"longest":5,"microseconds":7}"#)
    #expect(full.count == 2 && full.longest == 5 && full.sum == 7_000)
    #expect(try read(#"{"counts":[0,0],"longest":0,"microseconds":0}"#) == LatencyHistogram())
    #expect(try read(#"{"counts":[],"longest":0}"#) == LatencyHistogram())
    // Without a sum: each time is as long as the end of its step in whole microseconds.
    let old = try read(#"{"counts":[3,2,0,0,1],"longest":4000}"#)
    #expect(old.count == 6 && old.sum == (3 * 1 + 2 * 1 + 1 * 4) * 1_000)
    for text in [#"{"counts":[-1],"longest":0}"#, #"{"counts":[1],"longest":-1}"#, #"{"counts":[1]}"#] {
      #expect(throws: DecodingError.self) { try read(text) }
    }
  }
}
