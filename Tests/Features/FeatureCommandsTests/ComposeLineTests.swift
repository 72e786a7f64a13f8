import CommandLineTool
import Testing

@testable import FeatureCommands

/// What a user types into a share sheet, and gives it as options.
@Suite(.timeLimit(.minutes(1)))
struct `A line of a sheet` {
  static let lines: [(typed: String, line: ComposeLine)] = [
    ("", .nothing), ("   ", .nothing), ("/post", .post), (" /post ", .post), ("/cancel", .cancel), ("/clear", .clear),
    ("/complete", .complete), ("/1", .option(1)), ("/12 ", .option(12)), ("/0", .option(0)),
    ("/9223372036854775807", .option(.max)), ("/9223372036854775808", .unknown("/9223372036854775808")),
    ("/-1", .unknown("/-1")), ("/-9223372036854775808", .unknown("/-9223372036854775808")),
    ("/x y", .unknown("/xy")), ("/", .unknown("/")), ("/Post", .unknown("/Post")), ("//post", .text("/post")),
    ("// a", .text("/ a")), (" a  b ", .text(" a  b ")), ("post", .text("post")), ("größer/1", .text("größer/1")),
    (" /x", .text(" /x")),
  ]

  @Test(arguments: lines) func `is text, or a command that begins with a slash`(typed: String, line: ComposeLine) {
    #expect(ComposeLine(typed) == line)
  }

  @Test func `sets an option by a name and a value`() {
    #expect(throws: Never.self) { try SheetOptions([]) }
    #expect(throws: Never.self) { try SheetOptions(["a=b", "a=", "a=b=c", "a=\u{301}b"]) }
    for wrong in ["a", "=b", ""] {
      let error = #expect(throws: CommandLineError.self) { try SheetOptions(["a=b", wrong]) }
      #expect(error?.message == "“\(wrong)” is not an option.")
    }
  }
}
