import ExtensionProtocol
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An error code` {
  /// Number and name of every static code in ErrorCodes.swift.
  static let declared: [(number: Int, name: String)] = {
    let text = SourceTree.file("Sources/Engine/ExtensionProtocol/ErrorCodes.swift")?.text ?? ""
    let pattern = try? NSRegularExpression(pattern: #"static let (\w+) = Self\(number: (-?\d+), name: "(\w+)"\)"#)
    return (pattern?.matches(in: text, range: NSRange(text.startIndex..., in: text)) ?? []).compactMap { match in
      let parts = (1...3).compactMap { Range(match.range(at: $0), in: text).map { String(text[$0]) } }
      guard parts.count == 3, let number = Int(parts[1]), parts[0] == parts[2] else { return nil }
      return (number, parts[0])
    }
  }()

  @Test func `has a recovery, a sentence`() {
    #expect(Self.declared.count > 30)
    for (number, name) in Self.declared {
      let code = ExtensionError.Code(number: number)
      #expect(code.name == name, "\(name) is not in the table")
      let recovery = code.recovery ?? ""
      #expect(recovery.count > 10 && recovery.hasSuffix("."), "\(name): \(recovery)")
    }
  }

  @Test func `has a number and a name of its own`() {
    #expect(Set(Self.declared.map(\.number)).count == Self.declared.count)
    #expect(Set(Self.declared.map(\.name)).count == Self.declared.count)
  }

  @Test func `stands in the range that the protocol keeps for it`() {
    let standard: Set<Int> = [-32700, -32600, -32601, -32602, -32603, -32800]
    for (number, name) in Self.declared where !standard.contains(number) {
      #expect((-32099 ... -32000).contains(number), "\(name)")
    }
  }
}
