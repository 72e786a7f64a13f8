/// A `CFBundleVersion`: whole numbers joined by dots, compared one by one. A missing number is 0.
public struct BundleVersion: Sendable, Hashable {
  /// The version as the manifest spells it.
  public let text: String
  private let numbers: [UInt64]

  /// Any text. What follows the leading digits of a component is left out of comparison; see ``isNumeric``.
  public init(_ text: String) {
    self.text = text
    var numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { component in
      let digits = component.prefix { $0.isASCII && $0.isNumber }
      return digits.isEmpty ? 0 : UInt64(digits) ?? .max
    }
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  /// Whether every component is a whole number and there is at least one.
  public var isNumeric: Bool {
    text.split(separator: ".", omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
  }

  /// Versions are equal when their numbers are: `1.0` is `1`.
  public static func == (one: BundleVersion, other: BundleVersion) -> Bool { one.numbers == other.numbers }
  /// Hashes the numbers.
  public func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
}

extension BundleVersion: Comparable {
  /// Compares the numbers one by one: `1.9` is below `1.10`.
  public static func < (one: BundleVersion, other: BundleVersion) -> Bool {
    one.numbers.lexicographicallyPrecedes(other.numbers)
  }
}

extension BundleVersion: CustomStringConvertible {
  /// The version as the manifest spells it.
  public var description: String { text }
}
