/// How much work an evaluation may still do: rules come from strangers, and so do the strings that they are compared
/// with.
struct StepBudget {
  struct Exceeded: Error {}

  /// The steps of one evaluation.
  static let limit = 100_000
  /// So many comparisons of characters count as one step.
  private static let charactersPerStep = 64

  private var steps = limit
  private var characters = 0

  mutating func spend(_ count: Int = 1) throws(Exceeded) {
    steps -= count
    if steps < 0 { throw Exceeded() }
  }

  mutating func spend(characters count: Int) throws(Exceeded) {
    characters += count
    let whole = characters / Self.charactersPerStep
    characters -= whole * Self.charactersPerStep
    try spend(whole)
  }
}
