import CommandLineTool
import Testing

@testable import FeatureCommands

/// What `host today` refuses before it looks for a widget.
@Suite(.timeLimit(.minutes(1)))
struct `The options of host today` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(TodayCommand.command) }

  private func refusal(_ words: String...) async -> String? {
    let error = await #expect(throws: CommandLineError.self, "\(words)") {
      _ = try await TodayCommand.run(try stage.invocation(words))
    }
    return error?.message
  }

  @Test func `choose a row of one widget, which is not watched`() async {
    let message = "--select is about one widget, and not for --watch."
    for ids in [[], ["a", "b"], ["a", "--watch"]] {
      let error = await #expect(throws: CommandLineError.self, "\(ids)") {
        _ = try await TodayCommand.run(try stage.invocation(ids + ["--select", "1000000"]))
      }
      #expect(error?.message == message, "\(ids)")
    }
    for row in ["0", "-1", "1000001", "x"] {
      #expect(await refusal("a", "--select=\(row)")?.hasPrefix("--select is “\(row)”") == true)
    }
  }

  @Test func `have an interval of a second to a day`() async {
    for interval in ["0", "86401", "1.5"] {
      #expect(await refusal("--interval", interval)?.hasPrefix("--interval is “\(interval)”") == true)
    }
    // These are refused for something else.
    for interval in ["1", "86400"] {
      #expect(await refusal("--interval", interval, "--stream") == "--stream is about JSON.")
    }
  }
}
