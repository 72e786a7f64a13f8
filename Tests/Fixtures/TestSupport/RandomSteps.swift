/// Random steps beside a model: the same ones for the same seed, and where they fail as few as still do.
///
/// A step is a number that a test makes a ``Chance`` of and reads as it likes, so that it means something whatever steps
/// are before it: steps can be left out.
package enum RandomSteps {
  /// SplitMix64.
  package struct Chance: RandomNumberGenerator {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }

    /// A number of a range.
    package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Whether something happens that happens once in so many times.
    package mutating func happens(in count: Int) -> Bool { number(1...count) == 1 }

    /// One of some values, of which there is one at least.
    package mutating func one<Values: RandomAccessCollection>(of values: Values) -> Values.Element
    where Values.Index == Int { values[number(values.startIndex...(values.endIndex - 1))] }
  }

  /// Runs the steps of each seed.
  ///
  /// - Parameter run: makes a model and its subject, and does the steps with both.
  /// - Returns: what `run` returns of the fewest steps that fail, with the seed and the steps; nil when all is well.
  package static func failure(
    seeds: ClosedRange<UInt64>, steps count: Int, _ run: (_ steps: [UInt64]) async throws -> String?
  ) async rethrows -> String? {
    for seed in seeds {
      var chance = Chance(seed)
      var steps = (0..<count).map { _ in chance.next() }
      guard var failure = try await run(steps) else { continue }
      var size = count / 2
      while size > 0 {
        var start = 0
        while start < steps.count {
          let fewer = Array(steps[..<start] + steps[min(start + size, steps.count)...])
          if let other = try await run(fewer) { (steps, failure) = (fewer, other) } else { start += size }
        }
        size /= 2
      }
      return "seed \(seed), \(steps.count) steps \(steps): \(failure)"
    }
    return nil
  }
}
