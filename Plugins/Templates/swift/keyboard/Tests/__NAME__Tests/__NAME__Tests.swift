import Testing

@testable import __NAME__

@Suite struct `The keyboard` {
  @Test func `types capitals`() { #expect(__NAME__.capital("a") == "A") }
}
