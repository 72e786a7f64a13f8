import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A screen with rows to choose` {
  private static let plain = Terminal(width: 40, showsStyles: false)

  private static func section(_ name: String, _ rows: [String], below: [ShownText] = []) -> ChoiceScreen.Section {
    ChoiceScreen.Section(above: ["\(name)"], rows: rows.map { .init(line: "\($0)", plain: "\($0)") }, below: below)
  }

  private static func screen(_ lists: [[String]], height: Int = 24) -> ChoiceScreen {
    var screen = ChoiceScreen(sections: lists.count, columns: 40, height: height)
    for (index, rows) in lists.enumerated() { screen.show(section("List \(index)", rows), at: index) }
    return screen
  }

  private func drawn(_ screen: ChoiceScreen) -> [String] { screen.drawing(for: Self.plain).map(\.description) }

  @Test func `marks the chosen row, the first one at first`() {
    let screen = Self.screen([["a", "b"], ["c"]])
    let keys = "Return: open, r: refresh, ?: keys, q: end."
    #expect(drawn(screen).dropLast() == ["List 0", "> a", "  b", "", "List 1", "  c"])
    #expect(keys.hasPrefix(drawn(screen).last?.dropLast() ?? "-"))
    let styled = screen.drawing(for: Terminal(width: 40, showsStyles: true)).map(\.description)
    #expect(styled[1] == "\u{1B}[7m> a\u{1B}[0m")
  }

  private static let moves: [([TerminalKey], String)] = [
    ([.down], "b"), ([.character("j")], "b"), ([.down, .down], "c"), ([.down, .up], "a"), ([.up], "a"),
    ([.end], "d"), ([.character("G")], "d"), ([.end, .down], "d"), ([.end, .home], "a"),
    ([.end, .character("k")], "c"),
    ([.pageDown], "d"), ([.pageDown, .pageUp], "a"), ([.tab, .character("x")], "a"),
  ]

  @Test(arguments: moves) func `moves from row to row, over all lists`(keys: [TerminalKey], row: String) {
    var screen = Self.screen([["a", "b"], ["c", "d"]])
    for key in keys { #expect(screen.press(key) == nil) }
    #expect(drawn(screen).filter { $0.hasPrefix(">") } == ["> \(row)"])
  }

  private static let wishes: [(TerminalKey, ChoiceScreen.Wish?)] = [
    (.enter, .choose(.init(section: 0, position: 0))), (.right, .choose(.init(section: 0, position: 0))),
    (.character("r"), .refresh), (.character("q"), .end), (.control("c"), .interrupt), (.control("d"), .end),
    (.control("z"), .stop), (.escape, nil), (.left, nil), (.character("?"), nil),
  ]

  @Test(arguments: wishes) func `says what a key asks for`(key: TerminalKey, wish: ChoiceScreen.Wish?) {
    var screen = Self.screen([["a"]])
    #expect(screen.press(key) == wish)
  }

  @Test func `has nothing to choose where there are no rows`() {
    var screen = Self.screen([[], []])
    #expect(screen.chosen == nil && screen.press(.enter) == nil && screen.press(.down) == nil)
    #expect(drawn(screen) == ["List 0", "", "List 1", "r: refresh, ?: keys, q: end."])
    screen.show(Self.section("List 1", ["new"]), at: 1)
    #expect(screen.press(.enter) == .choose(.init(section: 1, position: 0)))
  }

  @Test func `keeps the chosen row where its list changes`() {
    var screen = Self.screen([["a", "b", "c"], ["d"]])
    _ = screen.press(.down)
    screen.show(Self.section("List 0", ["new", "a", "b", "c"]), at: 0)
    #expect(screen.chosen == .init(section: 0, position: 2))
    // It is gone: its place stays, as far as there is one.
    screen.show(Self.section("List 0", ["x", "y"]), at: 0)
    #expect(screen.chosen == .init(section: 0, position: 1))
    screen.show(Self.section("List 0", []), at: 0)
    #expect(screen.chosen == .init(section: 1, position: 0))
    screen.show(Self.section("List 1", []), at: 1)
    #expect(screen.chosen == nil)
    screen.show(Self.section("none", ["z"]), at: 7)
    #expect(screen.chosen == nil)
  }

  @Test func `keeps the chosen row in sight, however small the terminal is`() {
    var screen = Self.screen([(1...50).map { "row \($0)" }], height: 10)
    #expect(drawn(screen).count == 9 && drawn(screen)[0] == "List 0")
    _ = screen.press(.end)
    #expect(drawn(screen).contains("> row 50") && !drawn(screen).contains("List 0"))
    for height in [1, 2, 3, 5, 100] {
      screen.resize(columns: 3, height: height)
      #expect(drawn(screen).count <= max(1, height - 1))
      if height > 2 { #expect(drawn(screen).contains { $0.hasPrefix(">") }, "\(height)") }
    }
    screen.resize(columns: 40, height: 10)
    _ = screen.press(.home)
    #expect(drawn(screen)[0] == "List 0")
  }

  @Test func `shows a page until the user goes back`() {
    for key in [TerminalKey.escape, .character("q"), .left, .backspace] {
      var screen = Self.screen([["a"]])
      screen.open("Title", "one two")
      #expect(screen.showsPage && drawn(screen) == ["Title", "", "one two", "Esc: back."])
      #expect(screen.press(.enter) == nil && screen.press(.character("r")) == nil && screen.showsPage)
      #expect(screen.press(key) == nil && !screen.showsPage && drawn(screen)[1] == "> a")
    }
    var screen = Self.screen([["a"]])
    screen.open("Title", "text")
    #expect(screen.press(.control("c")) == .interrupt)
  }

  private static let turns: [([TerminalKey], first: String)] = [
    ([], "1"), ([.down], "2"), ([.down, .down, .up], "2"), ([.character(" ")], "7"),
    ([.pageDown, .character("b")], "1"),
    ([.end], "45"), ([.end, .down], "45"), ([.end, .home], "1"), ([.up], "1"),
  ]

  @Test(arguments: turns) func `moves a long page`(keys: [TerminalKey], first: String) {
    var screen = Self.screen([["a"]], height: 10)
    screen.open("Title", ShownText(lines: (1...50).map { "\($0)" }.joined(separator: "\n")))
    for key in keys { #expect(screen.press(key) == nil) }
    #expect(drawn(screen)[2] == first && drawn(screen).count == 9)
  }

  @Test func `breaks the lines of a page anew when it is made narrower`() {
    var screen = Self.screen([["a"]])
    screen.open("Title", "one two three")
    screen.resize(columns: 8, height: 24)
    #expect(drawn(screen).dropLast() == ["Title", "", "one two", "three"])
    #expect(drawn(screen).allSatisfy { $0.count <= 10 })
  }

  @Test func `shows its keys, and what is awaited`() {
    var screen = Self.screen([["a"]])
    screen.notice = "Opening …"
    #expect(drawn(screen).last == "Opening …")
    _ = screen.press(.character("?"))
    #expect(drawn(screen)[0] == "Keys" && drawn(screen).contains { $0.contains("Ctrl-Z") })
  }

  @Test func `lets nothing of a page steer the terminal`() {
    var screen = Self.screen([["a"]])
    screen.open("Title", ShownText(lines: "one\u{1B}[2J\ntwo"))
    #expect(!drawn(screen).joined().contains("\u{1B}") && drawn(screen)[3] == "two")
  }
}
