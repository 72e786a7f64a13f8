import CommandLineTool
import JSONRPC
import TestSupport
import Testing

@testable import CommandRuntime

/// How far something has come.
@Suite(.timeLimit(.minutes(1)))
struct `A progress that is shown` {
  private let stage: CommandStage

  init() throws { stage = try CommandStage() }

  /// What is printed of reports, each of a total.
  private func printed(_ reports: [(Double, Double?)], _ words: String...) throws -> [Substring] {
    stage.clear()
    let shown = ShownProgress("x", try stage.invocation(["run"] + words))
    for (done, total) in reports { shown.show(CallProgress(done, total: total)) }
    shown.finish()
    // What is reported late is not shown.
    shown.show(CallProgress(100, total: 100))
    return stage.errors.split(separator: "\n")
  }

  @Test func `has a line for each tenth that is reached, and none for less`() throws {
    #expect(try printed([(9, 100)]) == [])
    #expect(try printed([(9, 100), (10, 100), (19, 100), (20, 100)]) == ["x: 10%", "x: 20%"])
    #expect(try printed([(55, 100), (30, 100), (59, 100)]) == ["x: 55%"])
    #expect(try printed([(50, 50), (60, 50)]) == ["x: 100%"])
    #expect(try printed([(200, 100)]) == ["x: 100%"])
    #expect(stage.output == "")
  }

  @Test func `has none where no part is known, or there is none`() throws {
    #expect(try printed([(5, nil), (5, 0), (5, -1), (-5, 10), (.infinity, 10), (.nan, 10)]) == [])
    #expect(try printed([(5, nil), (5, 10)]) == ["x: 50%"])
  }

  @Test func `has none for a program`() throws {
    #expect(try printed([(5, 10)], "--json") == [])
    #expect(stage.output == "")
  }

  @Test func `is a bar at a terminal, which is taken away and does not come back`() throws {
    let console = stage.console(errorTerminal: Terminal(width: 80, showsStyles: false))
    let shown = ShownProgress("x", try stage.invocation(["run"], console: console))
    shown.show(CallProgress(1, total: 4))
    #expect(stage.errors.hasSuffix("]  25 % x") && !stage.errors.contains("\n"))
    shown.show(CallProgress(1, total: nil))
    #expect(stage.errors.hasSuffix("]  25 % x"))
    shown.finish()
    let end = stage.errors
    #expect(end.hasSuffix("\r\u{1b}[K"))
    shown.show(CallProgress(4, total: 4))
    shown.finish()
    #expect(stage.errors == end && stage.output == "")
  }
}
