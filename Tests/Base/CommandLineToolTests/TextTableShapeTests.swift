import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The shape of a text table` {
  private func lines(
    _ columns: [TextTable.Column], _ rows: [[TextTable.Cell]], width: Int? = nil, styled: Bool = false,
    overflow: TextTable.Overflow = .wrap
  ) -> [String] {
    var table = TextTable(columns, overflow: overflow)
    for row in rows { table.add(row) }
    return table.lines(for: Terminal(width: width, showsStyles: styled)).map(\.description)
  }

  @Test func `has its titles unless there are none, and as many cells as columns`() {
    #expect(lines([.init("A"), .init("")], [["x"], ["y", "z", "more"]]) == ["A", "x", "y  z"])
    #expect(lines([.init(""), .init("")], [["x", "y"]]) == ["x  y"])
    #expect(lines([.init("A")], []) == ["A"] && lines([.init("")], []).isEmpty)
    var table = TextTable([.init("A")])
    #expect(table.isEmpty)
    table.add([])
    #expect(!table.isEmpty && table.lines(for: .none) == ["A", ""])
  }

  @Test func `has right columns at the right, and no spaces before nothing`() {
    let columns: [TextTable.Column] = [.init("A", .right), .init("B", .right), .init("C")]
    #expect(
      lines(columns, [["1", "22", "x"], ["333", "", "y"], ["", "", "z"], ["4", "", ""]])
        == ["  A   B  C", "  1  22  x", "333      y", "         z", "  4"])
  }

  @Test func `is broken where it is a column too wide, and not before`() {
    let columns: [TextTable.Column] = [.init("A"), .init("B")]
    let rows: [[TextTable.Cell]] = [["a b", "c d e"]]
    #expect(lines(columns, rows, width: 10) == ["A    B", "a b  c d e"])
    #expect(lines(columns, rows, width: 9) == ["A    B", "a b  c d", "     e"])
    #expect(lines(columns, rows, width: 5) == ["A   B", "a   c", "b   d", "    e"])
    #expect(lines(columns, rows, width: 4) == ["A  B", "a  c", "b  d", "   e"])
    #expect(lines(columns, rows, width: 3) == ["a b", "  B", "    c", "    d", "    e"])
  }

  @Test func `has the bold titles of a terminal, and cells of their style on every line`() {
    #expect(
      lines([.init("A"), .init("B", .right)], [[.init("a b", .red), "12"]], width: 5, styled: true) == [
        "\u{1b}[1mA\u{1b}[0m   \u{1b}[1mB\u{1b}[0m", "\u{1b}[31ma\u{1b}[0m  12", "\u{1b}[31mb\u{1b}[0m",
      ])
  }

  @Test func `is blocks with marks before the first title, and values beside theirs where they fit`() {
    let columns: [TextTable.Column] = [.init(""), .init("NAME"), .init("SI ZE", .right), .init("T")]
    let rows: [[TextTable.Cell]] = [["*", "abcdefgh", "12345", "x y"], ["", "b", "", "z"]]
    // The longest words and the three gaps need 21 columns.
    #expect(
      lines(columns, rows, width: 20)
        == ["* abcdefgh", "  SIZE  12345", "  T     x y", "b", "  T     z"])
    #expect(lines(columns, rows, width: 13) == ["* abcdefgh", "  SIZE  12345", "  T     x y", "b", "  T     z"])
    #expect(lines(columns, rows, width: 12) == ["* abcdefgh", "  SIZE", "    12345", "  T     x y", "b", "  T     z"])
    #expect(lines(columns, rows, width: 10).suffix(4) == ["  T     x", "        y", "b", "  T     z"])
    #expect(lines(columns, rows, width: 21).count == 4)
  }

  @Test func `is cut in columns of one line`() {
    let columns: [TextTable.Column] = [.init("NAME"), .init("SIZE", .right)]
    #expect(
      lines(columns, [["日本語", "1234567"]], width: 10, overflow: .cut) == ["NAME  SIZE", "日…   123…"])
    #expect(lines(columns, [["a", "b"]], width: 3, overflow: .cut).allSatisfy { $0.count <= 3 })
  }
}
