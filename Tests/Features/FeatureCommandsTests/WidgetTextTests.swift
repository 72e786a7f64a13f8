import CommandLineTool
import Contracts
import Testing

@testable import FeatureCommands

/// A widget's view in lines.
@Suite(.timeLimit(.minutes(1)))
struct `The text of a widget` {
  private static func lines(
    _ view: WidgetView, height: Int, mode: WidgetDisplayMode = .expanded, terminal: Terminal = .none
  ) -> [String] {
    WidgetText(view, in: mode, WidgetSize(width: 1, height: height)).lines(for: terminal).map(
      \.description)
  }

  private static func rows(_ count: Int) -> [WidgetView.Row] {
    (0..<count).map { WidgetView.Row(title: "r\($0)") }
  }

  @Test func `is title, text and rows, two columns in`() {
    let view = WidgetView(
      title: "T", text: "a\n\nb",
      rows: [
        .init(title: "one", subtitle: "s", value: "1"), .init(title: "three", value: "20"),
        .init(title: "x"),
      ])
    #expect(
      Self.lines(view, height: 7)
        == ["  T", "  a", "  ", "  b", "  one    s   1", "  three     20", "  x"])
    #expect(Self.lines(WidgetView(), height: 3) == [])
    #expect(Self.lines(WidgetView(rows: Self.rows(1)), height: 1) == ["  r0"])
  }

  @Test func `ends its lines as any system does, and counts each`() {
    let view = WidgetView(text: "a\r\nb\n\r\nc\r\n")
    #expect(Self.lines(view, height: 5) == ["  a", "  b", "  ", "  c", "  "])
    #expect(Self.lines(view, height: 2) == ["  a", "  b", "  … and 3 more"])
  }

  @Test func `says how much of it has no space, and of a compact one what shows more`() {
    let view = WidgetView(title: "T", text: "a\nb", rows: Self.rows(5))
    #expect(Self.lines(view, height: 8).count == 8)
    #expect(Self.lines(view, height: 8).last == "  r4")
    #expect(
      Self.lines(view, height: 7) == [
        "  T", "  a", "  b", "  r0", "  r1", "  r2", "  r3", "  … and 1 more",
      ])
    #expect(
      Self.lines(view, height: 4, mode: .compact).suffix(2) == [
        "  r0", "  … and 4 more (--expanded shows more)",
      ])
    // Lines of text that are left out count as well, and rows never take their places.
    #expect(Self.lines(view, height: 3) == ["  T", "  a", "  b", "  … and 5 more"])
    #expect(Self.lines(view, height: 2) == ["  T", "  a", "  … and 6 more"])
    // One line at least.
    #expect(Self.lines(view, height: 0) == ["  T", "  … and 7 more"])
  }

  @Test func `fits into a terminal`() {
    let terminal = Terminal(width: 10, showsStyles: false)
    let view = WidgetView(
      title: "abcdefghi", text: "one two three\nabcdefghijk", rows: [.init(title: "123456789")])
    #expect(
      Self.lines(view, height: 9, terminal: terminal)
        == ["  abcdefg…", "  one two", "  three", "  abcdefgh", "  ijk", "  1234567…"])
    // Each column keeps the space of two before it, if a row has it.
    let subtitles = WidgetView(rows: [.init(title: "123456789", subtitle: "x"), .init(title: "y", value: "")])
    #expect(Self.lines(subtitles, height: 9, terminal: terminal).allSatisfy { $0.count <= 10 })
    let values = WidgetView(rows: [.init(title: "a", value: "12"), .init(title: "b", subtitle: "", value: "3")])
    #expect(Self.lines(values, height: 9, terminal: terminal) == ["  a  12", "  b   3"])
    let exact = WidgetView(title: "abcdefgh", text: "12345678", rows: [.init(title: "abcd")])
    #expect(
      Self.lines(exact, height: 9, terminal: terminal) == ["  abcdefgh", "  12345678", "  abcd"])
    // However narrow it is.
    let narrow = Self.lines(
      WidgetView(text: "ab"), height: 9, terminal: Terminal(width: 1, showsStyles: false))
    #expect(narrow.joined().filter { $0 != " " } == "ab")
  }

  @Test func `has a style at a terminal, and none in the text of a chosen row`() {
    let terminal = Terminal(width: 40, showsStyles: true)
    let view = WidgetView(title: "T", text: "a", rows: [.init(title: "r", subtitle: "s")])
    let section = WidgetText(view, in: .compact, WidgetSize(width: 1, height: 5)).section(
      for: terminal)
    #expect(section.above.map(\.description) == ["  \u{1B}[1mT\u{1B}[0m", "  a"])
    #expect(section.rows.map(\.line.description) == ["r  \u{1B}[2ms\u{1B}[0m"])
    #expect(section.rows.map(\.plain.description) == ["r  s"])
    #expect(section.below == [])
  }
}
