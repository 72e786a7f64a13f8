import EventLoop
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A back-off` {
  @Test(arguments: [(0, 0), (1, 2), (2, 6), (3, 18), (4, 20), (1_000_000, 20)] as [(Int, Double)])
  func `grows by its factor up to its limit`(failures: Int, seconds: Double) {
    #expect(BackOff(first: 2, factor: 3, longest: 20).seconds(after: failures, random: 1) == seconds)
  }

  @Test(arguments: [(0.0, 5.0), (0.5, 7.5), (1, 10), (2, 10), (-1, 5)])
  func `leaves a part of the wait to chance`(random: Double, seconds: Double) {
    #expect(BackOff(first: 10, least: 0.5, chance: 0.5).seconds(after: 1, random: random) == seconds)
  }

  @Test func `never shrinks with the failures, never exceeds its limit, and leaves nothing but its part to chance`()
    async
  {
    let failure = await RandomSteps.failure(seeds: 1...300, steps: 20) { steps in
      for step in steps {
        var chance = RandomSteps.Chance(step)
        let first = Double(chance.number(1...50)) / 10
        let longest = chance.happens(in: 4) ? Double.infinity : Double(chance.number(1...600))
        let least = Double(chance.number(0...10)) / 10
        let pause = BackOff(
          first: first, factor: Double(chance.number(10...40)) / 10, longest: longest, least: least, chance: 1 - least)
        var last = 0.0
        for failures in [0, 1, 2, 3, chance.number(4...63), 64, 65, 66, .max] {
          let (low, high) = (pause.seconds(after: failures), pause.seconds(after: failures, random: 1))
          let middle = pause.seconds(after: failures, random: 0.5)
          guard high >= last, high <= longest, low <= middle, middle <= high, low >= 0, high.isFinite else {
            return "\(pause) after \(failures) failures: \(low), \(middle), \(high) after \(last)"
          }
          if failures == 1, high != min(first, longest) { return "\(pause) begins with \(high)" }
          last = high
        }
        if pause.seconds(after: -1) != 0 { return "\(pause) waits before any failure" }
      }
      return nil
    }
    #expect(failure == nil)
  }
}
