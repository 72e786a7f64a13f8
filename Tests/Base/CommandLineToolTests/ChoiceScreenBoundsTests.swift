import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `What a screen with rows shows of them` {
  private static func section(above: [ShownText] = [], _ rows: [String], below: [ShownText] = [])
    -> ChoiceScreen.Section
  {
    ChoiceScreen.Section(above: above, rows: rows.map { .init(line: "\($0)", plain: "\($0)") }, below: below)
  }

  private func screen(_ sections: ChoiceScreen.Section..., columns: Int = 60, height: Int = 24) -> ChoiceScreen {
    var screen = ChoiceScreen(sections: sections.count, columns: columns, height: height)
    for (index, section) in sections.enumerated() { screen.show(section, at: index) }
    return screen
  }

  private func drawn(_ screen: ChoiceScreen) -> [String] {
    screen.drawing(for: Terminal(width: 60, showsStyles: false)).map(\.description)
  }

  private static let bottom = "Return: open, r: refresh, ?: keys, q: end."
  private static let page = ShownText(lines: (1...8).map { "\($0)" }.joined(separator: "\n"))

  @Test func `has an empty line between two lists, and none below the last`() {
    let screen = screen(Self.section(above: ["A"], ["a"], below: ["end"]), Self.section(["b"]))
    #expect(drawn(screen) == ["A", "> a", "end", "", "  b", Self.bottom])
  }

  @Test func `scrolls by a line, and goes to the very top with the first row`() {
    var screen = screen(Self.section(above: ["A", "B"], ["a", "b", "c", "d"]), height: 5)
    // Three lines of the lists, and the one at the bottom.
    #expect(drawn(screen) == ["A", "B", "> a", Self.bottom])
    #expect(screen.press(.down) == nil && drawn(screen).dropLast() == ["B", "  a", "> b"])
    #expect(screen.press(.end) == nil && drawn(screen).dropLast() == ["  b", "  c", "> d"])
    // What is in sight stays where it is.
    #expect(screen.press(.up) == nil && drawn(screen).dropLast() == ["  b", "> c", "  d"])
    #expect(screen.press(.up) == nil && drawn(screen).dropLast() == ["> b", "  c", "  d"])
    #expect(screen.press(.up) == nil && drawn(screen).dropLast() == ["A", "B", "> a"])
  }

  @Test func `moves by as many rows as it shows but one`() {
    var screen = screen(Self.section((1...9).map { "\($0)" }), height: 6)
    for (key, row) in [
      (TerminalKey.pageDown, 4), (.character(" "), 7), (.pageDown, 9), (.character("b"), 6), (.pageUp, 3), (.pageUp, 1),
    ] {
      #expect(screen.press(key) == nil)
      #expect(screen.chosen == .init(section: 0, position: row - 1), "\(key)")
    }
    #expect(screen.press(.control("n")) == nil && screen.chosen?.position == 1)
    #expect(screen.press(.control("p")) == nil && screen.chosen?.position == 0)
  }

  @Test func `moves the lists themselves where there is no row`() {
    var screen = screen(Self.section(above: ["1", "2", "3", "4", "5"], []), height: 5)
    let first = { drawn(screen)[0] }
    #expect(first() == "1" && drawn(screen).last == "r: refresh, ?: keys, q: end.")
    for (key, line) in [
      (TerminalKey.down, "2"), (.down, "3"), (.down, "3"), (.up, "2"), (.home, "1"), (.end, "3"), (.pageUp, "1"),
    ] {
      #expect(screen.press(key) == nil)
      #expect(drawn(screen)[0] == line, "\(key)")
    }
    #expect(screen.press(.right) == nil && screen.press(.enter) == nil)
  }

  @Test func `keeps the row that has the same text, at its place if it is there twice`() {
    var screen = screen(Self.section(["a", "b", "b"]), Self.section(["c"]))
    _ = screen.press(.down)
    _ = screen.press(.down)
    screen.show(Self.section(["b", "b", "b"]), at: 0)
    #expect(screen.chosen == .init(section: 0, position: 2))
    screen.show(Self.section(["x", "b", "b", "b"]), at: 0)
    #expect(screen.chosen == .init(section: 0, position: 2))
    screen.show(Self.section(["x", "y", "z", "b"]), at: 0)
    #expect(screen.chosen == .init(section: 0, position: 3))
    // Another list has no say in it.
    screen.show(Self.section([]), at: 1)
    #expect(screen.chosen == .init(section: 0, position: 3))
  }

  @Test func `chooses the last row above when a list becomes empty`() {
    var screen = screen(Self.section(["a", "b"]), Self.section(["c"]), Self.section(["d"]))
    _ = screen.press(.end)
    screen.show(Self.section([]), at: 2)
    #expect(screen.chosen == .init(section: 1, position: 0))
    screen.show(Self.section([]), at: 1)
    #expect(screen.chosen == .init(section: 0, position: 1))
  }

  @Test func `has a page of as many lines as there is space`() {
    var screen = screen(Self.section(["a"]), height: 8)
    screen.open("T", Self.page)
    #expect(drawn(screen) == ["T", "", "1", "2", "3", "4", "Lines 1 to 4 of 8. Space: on, Esc: back."])
    _ = screen.press(.pageDown)
    #expect(drawn(screen).dropFirst(2) == ["5", "6", "7", "8", "Lines 5 to 8 of 8. Space: on, Esc: back."])
    // A larger terminal has all of it.
    screen.resize(columns: 60, height: 11)
    #expect(drawn(screen).dropFirst(2).first == "2" && drawn(screen).last == "Lines 2 to 8 of 8. Space: on, Esc: back.")
    screen.resize(columns: 60, height: 12)
    #expect(drawn(screen).dropFirst(2).first == "1" && drawn(screen).last == "Esc: back.")
  }

  @Test func `opens a page at its beginning, each time, and without a notice`() {
    var screen = screen(Self.section(["a"]), height: 8)
    screen.open("T", Self.page)
    _ = screen.press(.end)
    screen.notice = "Wait …"
    #expect(drawn(screen).last == "Wait …")
    screen.open("U", Self.page)
    #expect(drawn(screen).first == "U" && drawn(screen)[2] == "1" && screen.notice == nil)
    #expect(screen.press(.character("d")) == nil && screen.press(.tab) == nil && drawn(screen)[2] == "1")
    #expect(screen.press(.control("d")) == .end && screen.press(.control("z")) == .stop && screen.showsPage)
    #expect(
      screen.press(.escape) == nil && !screen.showsPage && screen.press(.character("h")) == nil && screen.showsPage)
  }

  @Test func `is never less than a column and a line`() {
    var screen = ChoiceScreen(sections: 1, columns: 0, height: -1)
    #expect(screen.columns == 1 && screen.height == 1)
    screen.resize(columns: 3, height: 2)
    #expect(screen.columns == 3 && screen.height == 2)
    screen.resize(columns: -3, height: 0)
    #expect(screen.columns == 1 && screen.height == 1)
    screen.show(Self.section(["a"]), at: 0)
    #expect(drawn(screen) == ["…"])
    screen.resize(columns: 60, height: 3)
    #expect(drawn(screen) == ["> a", Self.bottom])
  }

  @Test func `is cut and styled at the width of the terminal`() {
    var screen = screen(Self.section(["abcdef"]), columns: 6)
    let styled = { screen.drawing(for: Terminal(width: 6, showsStyles: true)).map(\.description) }
    #expect(styled() == ["\u{1b}[7m> abc…\u{1b}[0m", "\u{1b}[2mRetur…\u{1b}[0m"])
    screen.open("A title", "text")
    let page = screen.drawing(for: Terminal(width: 6, showsStyles: true)).map(\.description)
    #expect(page == ["\u{1b}[1mA tit…\u{1b}[0m", "", "text", "\u{1b}[2mEsc: …\u{1b}[0m"])
  }

  @Test func `has the empty lines of a page`() {
    var screen = screen(Self.section(["a"]), height: 9)
    screen.open("T", ShownText(lines: "1\n\n\n2"))
    #expect(drawn(screen) == ["T", "", "1", "", "", "2", "Esc: back."])
  }
}
