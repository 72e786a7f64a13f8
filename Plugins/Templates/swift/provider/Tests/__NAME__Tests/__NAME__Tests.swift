import Testing

@testable import __NAME__

@Suite struct `The file provider` {
  @Test func `makes a document`() { #expect(__NAME__.content(of: "a.txt") == Array("This is a.txt.\n".utf8)) }
}
