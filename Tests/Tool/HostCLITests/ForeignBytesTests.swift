import CommandLineTool
import Testing

@testable import HostCLI

/// Arguments and variables that are not UTF-8.
@Suite(.timeLimit(.minutes(1)))
struct `Bytes that are no text` {
  private static func argument(_ index: Int, _ bytes: [UInt8]) -> CommandLineError? {
    (bytes + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { ForeignBytes.refusal(ofArgument: index, $0) }
    }
  }

  private static func variable(_ name: String, _ value: [UInt8]) -> CommandLineError? {
    (Array("\(name)=".utf8) + value + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { ForeignBytes.refusal(ofVariable: $0) }
    }
  }

  @Test func `are refused in an argument, with each byte that is not ASCII written out`() {
    #expect(Self.argument(2, [0x61, 0xFF, 0x20, 0x7E])?.message == "Argument 2 is not UTF-8: a\\xFF ~")
    #expect(Self.argument(1, [0x7F, 0x1F, 0x0A, 0xC3])?.message == "Argument 1 is not UTF-8: \\x7F\\x1F\\x0A\\xC3")
  }

  @Test func `are shown up to 500 of them`() {
    let message = Self.argument(1, [0xFF] + [UInt8](repeating: 0x61, count: 600))?.message
    #expect(message == "Argument 1 is not UTF-8: \\xFF\(String(repeating: "a", count: 499))")
  }

  @Test(arguments: ["", "plain", "é€😀", "\u{1B}"]) func `are not in text`(text: String) {
    #expect(Self.argument(1, Array(text.utf8)) == nil)
    #expect(Self.variable("HOME", Array(text.utf8)) == nil)
  }

  @Test(arguments: ["ANNEX_HOME", "HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"])
  func `are refused in a variable that names a folder of the tool`(name: String) {
    #expect(Self.variable(name, [0x2F, 0xE9])?.message == "The variable \(name) is not UTF-8: \(name)=/\\xE9")
    #expect(
      Self.variable(name, [0xCC, 0x81, 0xE9])?.message == "The variable \(name) is not UTF-8: \(name)=\\xCC\\x81\\xE9")
  }

  @Test(arguments: ["PATH", "HOMES", "home", ""]) func `are nobody's business in another variable`(name: String) {
    #expect(Self.variable(name, [0xE9]) == nil)
  }
}
