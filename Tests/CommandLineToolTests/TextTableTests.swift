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

  @Test func `is cut to the width of a terminal only`() {
    let lines = table().lines(for: Terminal(width: 20, showsStyles: false))
    #expect(lines == ["NAME    SIZE  NOTE", "日本       7  two w…", "abcdef  1234"])
    for width in 1...40 {
      let lines = table().lines(for: Terminal(width: width, showsStyles: false))
      #expect(lines.allSatisfy { $0.width <= width && $0.description.last != " " })
    }
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
