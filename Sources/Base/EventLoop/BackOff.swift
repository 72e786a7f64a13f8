/// How long to wait after failures that follow each other: each wait is a multiple of the one before, up to a limit. Pure.
package struct BackOff: Equatable, Sendable {
  /// Seconds after the first failure.
  package var first: Double
  /// The multiple of the wait before, for each further failure.
  package var factor = 2.0
  /// The most seconds.
  package var longest = Double.infinity
  /// The least part of a wait that is kept, from 0 to 1: chance adds to it, so that many clients that failed together do
  /// not come back together.
  package var least = 1.0
  /// The part of a wait that chance adds at most.
  package var chance = 0.0

  /// Creates a rule for pauses, all in seconds. The arguments are described at the properties.
  package init(
    first: Double, factor: Double = 2, longest: Double = .infinity, least: Double = 1, chance: Double = 0
  ) {
    self.first = first
    self.factor = factor
    self.longest = longest
    self.least = least
    self.chance = chance
  }

  /// Returns the seconds to wait.
  ///
  /// - Parameters:
  ///   - failures: the number of failures in a row, the last included; there is no wait after none.
  ///   - random: from 0 to 1, what chance gives.
  package func seconds(after failures: Int, random: Double = 0) -> Double {
    guard failures > 0 else { return 0 }
    var seconds = min(first, longest)
    for _ in 0..<min(failures - 1, 64) { seconds = min(seconds * factor, longest) }
    return min(seconds * (least + chance * min(max(random, 0), 1)), longest)
  }
}
