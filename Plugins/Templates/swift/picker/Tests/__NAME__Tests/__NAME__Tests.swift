import Testing

@testable import __NAME__

@Suite struct `The picker` {
  @Test func `lists its texts`() { #expect(__NAME__.entries.map(\.name) == ["thanks.txt", "welcome.txt"]) }
}
