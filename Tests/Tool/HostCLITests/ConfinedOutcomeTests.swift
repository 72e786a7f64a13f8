import CommandLineTool
import ExtensionHosting
import Glibc
import JSON
import Sandbox
import Testing

@testable import HostCLI

/// How a program in the sandbox ended.
@Suite(.timeLimit(.minutes(1)))
struct `The end of a program in the sandbox` {
  private static let failure = LaunchFailure(stage: .landlock, errorNumber: ENOSYS)
  private static let threads = ExitReason.threads(used: 70, ceiling: 64)

  private static func outcome(_ end: ConfinedOutcome.End) -> ConfinedOutcome {
    ConfinedOutcome(end: end, tier: .light, seconds: 1.5)
  }

  private static let ends: [(end: ConfinedOutcome.End, status: Int32)] = [
    (.exited(0), 0), (.exited(3), 3), (.exited(255), 255), (.signalled(1), 129), (.signalled(11), 139),
    (.limited(threads), 137), (.refused(failure), 69), (.stopped, 130), (.lost, 70),
  ]

  @Test(arguments: ends) func `is the status of the command`(end: ConfinedOutcome.End, status: Int32) {
    #expect(Self.outcome(end).status == CommandLineTool.ExitStatus(rawValue: status))
  }

  @Test func `is said in a sentence, unless the program returned`() {
    #expect(Self.outcome(.exited(3)).reason == nil)
    #expect(Self.outcome(.signalled(11)).reason == "It was ended by SIGSEGV (bad memory access).")
    #expect(Self.outcome(.signalled(64)).reason == "It was ended by signal 64.")
    #expect(
      Self.outcome(.limited(Self.threads)).reason
        == "It was ended for its threads: it had 70, and 64 are allowed.")
    #expect(Self.outcome(.refused(Self.failure)).reason == SandboxError.launchFailed(Self.failure).message)
    #expect(Self.outcome(.stopped).reason == "It was stopped.")
    #expect(Self.outcome(.lost).reason == "The sandbox was ended from outside.")
  }

  @Test func `is a document with what fits it, and nothing else`() {
    let begin: [(String, JSONValue)] = [("tier", "light"), ("seconds", 1.5)]
    #expect(Self.outcome(.exited(3)).document == JSONObject(begin + [("exit", 3)]))
    #expect(
      Self.outcome(.signalled(64)).document
        == JSONObject(begin + [("signal", 64), ("reason", "It was ended by signal 64.")]))
    #expect(Self.outcome(.stopped).document == JSONObject(begin + [("reason", "It was stopped.")]))
    let refused = Self.outcome(.refused(Self.failure)).document
    #expect(refused["stage"] == "landlock" && refused["errno"] == .integer(Int64(ENOSYS)) && refused["exit"] == nil)
    let limited = Self.outcome(.limited(Self.threads)).document
    #expect(limited["limit"]?["reason"] == "threads")
    #expect(limited["limit"]?["figure"] == 70 && limited["limit"]?["ceiling"] == 64)
    #expect(limited["limit"]?["unit"] == "threads" && limited["signal"] == nil)
  }

  @Test func `has what was captured, and how much of it was dropped`() {
    var outcome = Self.outcome(.exited(0))
    #expect(outcome.document["output"] == nil && outcome.document["errors"] == nil)
    var text = CapturedText()
    text.append(Array("abc".utf8))
    outcome.output = text
    #expect(outcome.document["output"] == "abc" && outcome.document["outputDropped"] == nil)
    text.append([UInt8](repeating: 0x78, count: CapturedText.limit))
    outcome.errors = text
    #expect(outcome.document["errorsDropped"] == 3 && outcome.document["outputDropped"] == nil)
    #expect(outcome.document["errors"]?.stringValue?.hasPrefix("abcx") == true)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A captured stream` {
  @Test func `is kept up to its limit, and counted from there`() {
    var text = CapturedText()
    text.append([UInt8](repeating: 1, count: CapturedText.limit - 1))
    text.append([])
    #expect(text.dropped == 0)
    text.append([2])
    #expect(text.bytes.count == CapturedText.limit && text.bytes.last == 2 && text.dropped == 0)
    text.append([3, 4])
    #expect(text.bytes.count == CapturedText.limit && text.bytes.last == 2 && text.dropped == 2)
    text.append([5])
    #expect(text.dropped == 3)
  }

  @Test func `keeps the beginning of the piece that goes beyond its limit`() {
    var text = CapturedText()
    text.append([UInt8](repeating: 1, count: CapturedText.limit - 2))
    text.append([2, 3, 4, 5])
    #expect(text.bytes.suffix(3) == [1, 2, 3] && text.dropped == 2)
  }

  @Test func `is text also where it is none`() {
    var text = CapturedText()
    text.append([0x61, 0xFF, 0x62, 0xC3])
    #expect(text.text == "a\u{FFFD}b\u{FFFD}")
  }
}
