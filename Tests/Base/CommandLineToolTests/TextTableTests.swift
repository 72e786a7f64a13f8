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
    for width in 1...40 {
      let lines = table().lines(for: Terminal(width: width, showsStyles: false))
      #expect(lines.allSatisfy { $0.width <= width && $0.description.last != " " })
    }
  }

  @Test func `shares what there is, and marks what is cut`() {
    let lines = table().lines(for: Terminal(width: 19, showsStyles: false))
    #expect(
      lines == ["NAME    SIZE  NOTE", "日本       7  two", "              wide", "              char…", "abcdef  1234"])
  }

  @Test func `shows every value of a row in which one is long`() {
    var table = TextTable([.init("ID"), .init("NAME"), .init("STATE")])
    table.add(["com.example.adventures.today", "Adventures Today", "enabled"])
    table.add(["com.example.\(String(repeating: "x", count: 300))", "X", "invalid"])
    let lines = table.lines(for: Terminal(width: 60, showsStyles: false)).map(\.description)
    #expect(lines[1] == "com.example.adventures.today             Adventures  enabled")
    #expect(lines[2].hasSuffix("  Today"))
    #expect(lines[3].hasPrefix("com.example.x") && lines[3].contains("x…  X ") && lines[3].hasSuffix("  invalid"))
    #expect(lines.allSatisfy { displayWidth(of: $0) <= 60 })
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
