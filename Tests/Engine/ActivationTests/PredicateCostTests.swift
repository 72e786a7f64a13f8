import PropertyList
import Testing

@testable import Activation

/// What each part of a predicate costs of the steps that an evaluation may do.
@Suite(.timeLimit(.minutes(1))) struct `The cost of a predicate` {
  /// The steps that are spent of 100,000.
  private func cost(_ text: String) throws -> Int {
    let predicate = try Predicate(text)
    var evaluator = PredicateEvaluator(root: PredicateValue([]), types: .standard)
    _ = try evaluator.holds(predicate.root)
    var (budget, left) = (evaluator.budget, 0)
    while left <= 100_000, (try? budget.spend()) != nil { left += 1 }
    return 100_000 - left
  }

  @Test(arguments: [
    // A predicate is a step; a comparison is one besides, and so is each of its sides.
    ("TRUEPREDICATE", 1), ("NOT TRUEPREDICATE", 2), ("TRUEPREDICATE AND TRUEPREDICATE", 3), ("1 < 2", 4),
    // Equality is a step for each pair, elements too.
    ("1 == 1", 5), ("{1} == {1}", 8), ("1 IN {2, 1}", 8), ("'a' UTI-EQUALS 'b'", 8),
    // A step of a path is one, and another for each sixteen elements.
    ("a.b == 1", 7), ("{1,2,3,4,5,6,7,8,9,0,1,2,3,4,5}.@count == 15", 22),
    ("{1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6}.@count == 16", 24),
  ])
  func `is counted in steps`(text: String, steps: Int) throws {
    #expect(try cost(text) == steps)
  }

  @Test(arguments: [("==", 5), ("<", 4), ("BEGINSWITH", 4), ("ENDSWITH", 4)])
  func `is one more for 64 bytes of texts`(operation: String, steps: Int) throws {
    let (thirty, thirtyTwo) = (String(repeating: "é", count: 15), String(repeating: "é", count: 16))
    #expect(try cost("'\(thirty)a' \(operation) '\(thirtyTwo)'") == steps)
    #expect(try cost("'\(thirtyTwo)' \(operation) '\(thirtyTwo)'") == steps + 1)
  }

  @Test func `is one more for 64 comparisons of characters`() throws {
    // The texts themselves are 64 bytes and more here, so the comparisons are the second of the two.
    let text = String(repeating: "a", count: 64)
    #expect(try cost("'\(text)' LIKE '*'") == 6)
    #expect(try cost("'\(text)' CONTAINS 'b'") == 6)
    #expect(try cost("'\(text.dropLast())' CONTAINS 'b'") == 5)
  }
}
