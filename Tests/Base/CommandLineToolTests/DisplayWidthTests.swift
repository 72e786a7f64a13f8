import Testing

@testable import CommandLineTool

@Suite(.timeLimit(.minutes(1))) struct `The width of a text` {
  @Test func `decides how much of its beginning and its end is shown`() {
    #expect(beginning(of: "abcdef", fitting: 3) == "abc")
    #expect(end(of: "abcdef", fitting: 3) == "def")
    #expect(beginning(of: "日本語", fitting: 5) == "日本")
    #expect(end(of: "日本語", fitting: 5) == "本語")
    #expect(beginning(of: "ab", fitting: 9) == "ab")
    #expect(end(of: "ab", fitting: 9) == "ab")
    #expect(beginning(of: "ab", fitting: 0) == "")
    #expect(end(of: "ab", fitting: -1) == "")
  }

  /// A character at a time, each of which is measured again, would take hours.
  @Test(arguments: ["x", "é", "日"]) func `is not measured where nobody sees it`(character: String) {
    let text = String(repeating: character, count: (4 << 20) / character.utf8.count)
    for _ in 0..<1000 {
      #expect(displayWidth(of: beginning(of: text, fitting: 80)) == 80)
      #expect(displayWidth(of: end(of: text, fitting: 80)) == 80)
    }
  }

  @Test func `of one cell does not fill up a whole column with spaces`() {
    var table = TextTable([.init("A"), .init("B")])
    table.add([TextTable.Cell(shown: ShownText(verbatim: String(repeating: "x", count: 1 << 20))), "1"])
    for _ in 0..<1000 { table.add(["short", "2"]) }
    let lines = table.lines(for: .none)
    #expect(lines[1].description.utf8.count == (1 << 20) + 3)
    #expect(lines.dropFirst(2).allSatisfy { $0.description.utf8.count == TextTable.widest + 3 })
  }
}
