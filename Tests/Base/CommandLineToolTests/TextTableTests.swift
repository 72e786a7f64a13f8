import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A text table` {
  private func table() -> TextTable {
    var table = TextTable([.init("NAME"), .init("SIZE", .right), .init("NOTE")])
    table.add(["日本", "7", "two wide characters"])
    table.add(["abcdef", "1234", TextTable.Cell("", .red)])
    return table
  }

  @Test func `aligns by display width and leaves no spaces at line ends`() {
    #expect(
      table().lines(for: .none) == [
        "NAME    SIZE  NOTE",
        "日本       7  two wide characters",
        "abcdef  1234",
      ])
  }

  @Test func `is broken between words at the width of a terminal only`() {
    let lines = table().lines(for: Terminal(width: 26, showsStyles: false))
    #expect(
      lines == ["NAME    SIZE  NOTE", "日本       7  two wide", "              characters", "abcdef  1234"])
    // The longest word has ten letters.
    for width in 14...40 {
      let lines = table().lines(for: Terminal(width: width, showsStyles: false))
      #expect(lines.allSatisfy { $0.width <= width && $0.description.last != " " })
    }
  }

  @Test func `becomes a block for each row where it is too wide, and breaks no word`() {
    let lines = table().lines(for: Terminal(width: 19, showsStyles: false))
    #expect(
      lines == [
        "日本", "  SIZE  7", "  NOTE  two wide", "        characters", "abcdef", "  SIZE  1234",
      ])
    #expect(
      table().lines(for: Terminal(width: 14, showsStyles: false)) == [
        "日本", "  SIZE  7", "  NOTE", "    two wide", "    characters", "abcdef", "  SIZE  1234",
      ])
  }

  @Test func `cuts no identifier, and parts no figure from its unit`() {
    var table = TextTable([.init("ID"), .init("TIME", .right), .init("STATE")])
    table.add(["com.example.adventures.today", "1.25 ms", "enabled"])
    let id = "com.example.\(String(repeating: "x", count: 300))"
    table.add([.init(id), "3 s", "invalid"])
    #expect(
      table.lines(for: Terminal(width: 40, showsStyles: false)) == [
        "com.example.adventures.today", "  TIME   1.25 ms", "  STATE  enabled", "\(id)", "  TIME   3 s",
        "  STATE  invalid",
      ])
  }

  @Test func `may be told to keep each row on one line`() {
    var table = TextTable([.init(""), .init("", .right)], overflow: .cut)
    table.add(["A walk along the coast", "$1,200"])
    #expect(table.lines(for: Terminal(width: 20, showsStyles: false)) == ["A walk alon…  $1,200"])
  }

  @Test func `shows styles only where they are wanted`() {
    var table = TextTable([.init("")])
    table.add([TextTable.Cell("ok", .green)])
    #expect(table.lines(for: Terminal(width: 80, showsStyles: true)) == ["\u{1b}[32mok\u{1b}[0m"])
    #expect(table.lines(for: .none) == ["ok"])
  }

  @Test func `escapes what foreign text could do to a terminal`() {
    var table = TextTable([.init("")])
    table.add(["\u{1b}[2Jx\ny"])
    #expect(table.lines(for: .none) == ["\\u{1b}[2Jx\\ny"])
  }
}
