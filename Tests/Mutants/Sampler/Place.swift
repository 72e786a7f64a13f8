import Foundation

/// A place of a source file, and the fault that is put there.
struct Place: Sendable {
  /// The kind of a fault. The raw value is printed.
  enum Operator: String, CaseIterable, Sendable {
    /// `<` and `<=`, `>` and `>=`.
    case bound
    /// `==` and `!=`.
    case equality
    /// A condition of `if`, `guard`, `while` or `where`, negated.
    case condition
    /// `&&` and `||`.
    case logic
    /// `+` and `-` beside a number.
    case arithmetic
    /// A number that is one larger, or the other Boolean.
    case constant
    /// An optional that is bound to a name is nil.
    case nothing = "nil"
    /// `a ?? b` is always `b`.
    case fallback = "default"
    /// The branches of `?:`, swapped.
    case branches
    /// The first for the last, the least for the greatest.
    case end = "first-last"
    /// A call without its effect.
    case call
    /// A call that is waited for, without its effect.
    case awaited = "await"
    /// A call or an assignment that clears, resets, removes or cancels.
    case clear
    /// An assignment that is not made.
    case assignment
    /// A `throw`, `return`, `continue` or `break` that does not leave.
    case exit
  }

  /// The number that the switch knows the place by, from 1.
  var id = 0
  let path: String
  /// The bytes of the file that are replaced.
  let range: Range<Int>
  let kind: Operator
  /// The text of these bytes.
  let original: String
  /// What stands there once the fault is switched on; empty for a statement that is removed.
  let mutant: String
  /// The first and the last line of the place.
  let lines: ClosedRange<Int>

  /// The text that holds both, and asks the switch which of them it is.
  var switched: String {
    mutant.isEmpty
      ? "if !annexMutant(\(id)) { \(original) }" : "(annexMutant(\(id)) ? (\(mutant)) : (\(original)))"
  }

  // MARK: A line of a table

  var row: String {
    [
      "\(id)", path, "\(range.lowerBound)", "\(range.upperBound)", "\(lines.lowerBound)", "\(lines.upperBound)",
      kind.rawValue, Self.escaped(original), Self.escaped(mutant),
    ].joined(separator: "\t")
  }

  init(
    path: String, range: Range<Int>, kind: Operator, original: String, mutant: String, lines: ClosedRange<Int>
  ) {
    (self.path, self.range, self.kind, self.original) = (path, range, kind, original)
    (self.mutant, self.lines) = (mutant, lines)
  }

  init?(row: Substring) {
    let cells = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    let numbers = cells.indices.contains(5) ? [0, 2, 3, 4, 5].compactMap { Int(cells[$0]) } : []
    guard cells.count == 9, numbers.count == 5, let kind = Operator(rawValue: cells[6]) else { return nil }
    self.init(
      path: cells[1], range: numbers[1]..<numbers[2], kind: kind, original: Self.unescaped(cells[7]),
      mutant: Self.unescaped(cells[8]), lines: numbers[3]...numbers[4])
    id = numbers[0]
  }

  static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\n", with: "\\n")
      .replacingOccurrences(of: "\t", with: "\\t")
  }

  static func unescaped(_ text: String) -> String {
    var (result, isEscaped) = ("", false)
    for character in text {
      if isEscaped {
        result.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }
}
