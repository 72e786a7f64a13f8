import Foundation
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The article about errors` {
  private static let rows: [Substring] = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = "Sources/Documentation/AppExtensions.docc/Errors.md"
    let text = (try? String(contentsOf: package.appending(path: path), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("| -") }
  }()

  @Test func `has a row for each code, as the table of codes has it`() {
    let expected = ExtensionError.Code.table.map { "| \($0.code.number) | `\($0.code.name)` | \($0.recovery) |" }
    #expect(Self.rows.map(String.init) == expected)
  }
}
