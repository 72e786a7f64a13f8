import CommandLineTool
import Testing

@testable import FeatureCommands

/// `--url file:…` (RFC 8089).
@Suite(.timeLimit(.minutes(1)))
struct `The path of a file URL` {
  static let paths: [(url: String, path: String)] = [
    ("file:///a/b", "/a/b"), ("file:/a", "/a"), ("file://localhost/a", "/a"),
    ("file://LocalHost/a", "/a"),
    ("file:///a%20b%C3%A9", "/a bé"), ("file:///a?b", "/a"), ("file:///a#b", "/a"),
    ("file:///a%23b#c?d", "/a#b"),
    ("file:///", "/"), ("file:///größer", "/größer"), ("file:///a?\u{301}b", "/a"),
    ("file:///\u{301}a", "/\u{301}a"), ("file://localhost/\u{301}a", "/\u{301}a"),
  ]

  @Test(arguments: paths) func `is that of this machine`(url: String, path: String) throws {
    let file = try FileURL(url)
    #expect(file.path == path && file.text == url)
  }

  static let wrong: [(url: String, message: String)] = [
    ("file://example.com/a", "“file://example.com/a” is a file of another machine."),
    ("file://localhost.example/a", "is a file of another machine."),
    ("file://127.0.0.1/a", "is a file of another machine."), ("file:", "“file:” names no file."),
    ("file://", "names no file."), ("file:a", "names no file."), ("file:?/a", "names no file."),
    ("file://localhost", "names no file."), ("file:///a%", "names no file."),
    ("file:///a%00b", "names no file."),
    ("file:///%FF", "names no file."),
  ]

  @Test(arguments: wrong) func `is refused elsewhere, and where it is none`(
    url: String, message: String
  ) {
    let error = #expect(throws: CommandLineError.self) { try FileURL(url) }
    #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
  }
}

/// What a user writes for bundles, and what the tool writes for people.
@Suite(.timeLimit(.minutes(1)))
struct `A word of the command line` {
  static let sizes: [(bytes: Int64, text: String)] = [
    (0, "0 bytes"), (1, "1 byte"), (2, "2 bytes"), (999, "999 bytes"), (1_000, "1.0 kB"),
    (1_949, "1.9 kB"),
    (1_951, "2.0 kB"), (999_900, "999.9 kB"), (1_000_000, "1.0 MB"), (3_449_999, "3.4 MB"),
    (2_000_000_000, "2.0 GB"),
    (999_900_000_000, "999.9 GB"), (1_000_000_000_000, "1.0 TB"),
    (1_000_000_000_000_000, "1000.0 TB"),
  ]

  @Test(arguments: sizes) func `is a size in the unit that fits`(bytes: Int64, text: String) {
    #expect(DecimalByteText.of(bytes) == text)
  }
}
