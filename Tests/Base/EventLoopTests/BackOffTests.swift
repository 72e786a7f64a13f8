import EventLoop
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
}
