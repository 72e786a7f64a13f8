import Testing

@testable import HostCLI

/// The variables that the tool is started with.
@Suite(.timeLimit(.minutes(1)))
struct `The environment` {
  static let entries: [(entry: String, name: String?, value: String?)] = [
    ("A=b", "A", "b"), ("A=", "A", ""), ("A=b=c", "A", "b=c"), ("A=\u{301}b", "A", "\u{301}b"),
    ("A==\u{301}b", "A", "=\u{301}b"), ("=b", "", "b"), ("A", nil, nil), ("", nil, nil),
  ]

  @Test(arguments: entries) func `has each variable up to its first sign`(
    entry: String, name: String?, value: String?
  ) {
    let variable = Environment.variable(entry)
    #expect(variable?.name == name)
    #expect(variable?.value.unicodeScalars.map(\.value) == value?.unicodeScalars.map(\.value))
  }
}
