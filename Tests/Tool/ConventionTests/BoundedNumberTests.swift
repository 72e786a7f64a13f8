import Foundation
import Testing

/// Swift ends the process when arithmetic overflows, and a peer would choose the number.
@Suite(.timeLimit(.minutes(4))) struct `A number that crosses the wire` {
  /// Stored numbers of types that are decoded, without bounds.
  static let pattern = #"^\s*public (var|let) (\w+): \[?(Int|Int32|Int64|UInt|UInt32|UInt64|Double|Float)\]?\??\s*$"#
  /// Numbers that are decoded by hand.
  static let byHand = #"decode(IfPresent)?\((\[)?(Int|Int32|Int64|UInt|UInt32|UInt64|Double)(\])?\.self"#

  private static let expressions = Result {
    try [byHand, pattern].map { try NSRegularExpression(pattern: $0) }
  }

  static func faults(in code: String) throws -> [String] {
    let expressions = try expressions.get()
    return code.split(separator: "\n").map(String.init).filter { line in
      let whole = NSRange(line.startIndex..., in: line)
      return expressions.contains { $0.firstMatch(in: line, range: whole) != nil }
    }
  }

  @Test func `has bounds in every contract`() throws {
    let files = SourceTree.files(below: "Sources/Features").filter { $0.path.contains("/Contract/") }
    #expect(files.count > 20)
    for file in files {
      let faults = try Self.faults(in: file.code)
      #expect(faults.isEmpty, "\(file.path): write @NonNegative, @Exact, @Length or @Bounded before \(faults)")
    }
  }

  @Test(arguments: [
    "  public var size: Int64?", "    public let width: Double", "  public var all: [Int]",
    "      self.count = try container.decode(Int.self, forKey: .count)",
  ])
  func `is noticed without them`(code: String) throws { #expect(try Self.faults(in: code) == [code]) }

  @Test(arguments: [
    "  @NonNegative<Int64?> public var size: Int64?", "  public static var limit: Int { 3 }",
    "  public var count: Int { items.count }", "  public var name: String",
  ])
  func `is not noticed where there are some`(code: String) throws { #expect(try Self.faults(in: code).isEmpty) }
}
