import CommandLineTool
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `What the owner of a terminal writes` {
  private final class Log: Sendable {
    private let entries = Mutex([String]())

    func add(_ entry: String) { entries.withLock { $0.append(entry) } }

    /// What was written since the last time.
    func taken() -> [String] {
      entries.withLock { entries in
        defer { entries = [] }
        return entries
      }
    }
  }

  private static let moving = Terminal(width: 20, showsStyles: false)
  private static let fixed = Terminal(width: 20, showsStyles: false, movesCursor: false)
  private let log = Log()

  private func screen(
    _ terminal: Terminal = moving, errors: Terminal? = nil, size: TerminalSize? = TerminalSize(columns: 20, lines: 10)
  ) -> TerminalScreen {
    let log = log
    return TerminalScreen(
      terminal: terminal, errorTerminal: errors ?? terminal, output: { log.add("out \($0)") },
      errors: { log.add("err \($0)") }, size: { size })
  }

  private static let question = Prompt(["Q"], mark: "> ", isEditedByTerminal: false)

  @Test func `is a live part once, taken away before a line and drawn after it`() {
    let screen = screen()
    screen.show(.lines(["a", "b"]))
    #expect(log.taken() == ["out a\nb\n"])
    screen.show(.lines(["a", "b"]))
    #expect(log.taken() == [])
    screen.write("x\n", to: .errors)
    #expect(log.taken() == ["out \u{1b}[2A\u{1b}[J", "err x\n", "out a\nb\n"])
    screen.show(.drawing("bar", erasing: "gone"))
    #expect(log.taken() == ["out \u{1b}[2A\u{1b}[J", "err bar"])
    screen.write("x\n", to: .output)
    #expect(log.taken() == ["err gone", "out x\n", "err bar"])
    screen.show(nil)
    screen.show(nil)
    #expect(log.taken() == ["err gone"])
    screen.write("x\n", to: .output)
    #expect(log.taken() == ["out x\n"])
  }

  @Test func `is a question until it is closed, and what was kept after that`() {
    let screen = screen()
    screen.change { $0.typed = "none" }
    screen.close(leaving: ["none"])
    #expect(log.taken() == [] && !screen.isAsking)
    screen.open(Self.question)
    #expect(log.taken() == ["err Q\n> "] && screen.isAsking)
    screen.change { $0.typed = "" }
    screen.write("kept\n", to: .output)
    #expect(log.taken() == [])
    screen.change { $0.typed = "ab" }
    #expect(log.taken() == ["err \r\u{1b}[1A\u{1b}[J", "err Q\n> ab"])
    screen.close(leaving: ["done", "so"])
    #expect(log.taken() == ["err \r\u{1b}[1A\u{1b}[J", "err done\nso\n", "out kept\n"] && !screen.isAsking)
    // What was kept is written once.
    screen.open(Prompt(mark: "? ", isEditedByTerminal: false))
    screen.close()
    #expect(log.taken() == ["err ? ", "err \r\u{1b}[J"])
  }

  @Test func `is a question below a live part, which stays`() {
    let screen = screen()
    screen.show(.lines(["a"]))
    screen.open(Self.question)
    #expect(log.taken() == ["out a\n", "out \u{1b}[1A\u{1b}[J", "out a\nQ\n> "])
    screen.close()
    #expect(log.taken() == ["out \r\u{1b}[2A\u{1b}[J", "out a\n"])
    screen.show(.drawing("bar", erasing: "gone"))
    screen.open(Self.question)
    #expect(log.taken() == ["out \u{1b}[1A\u{1b}[J", "err bar", "err gone", "err Q\n> "])
    screen.close()
    #expect(log.taken() == ["err \r\u{1b}[1A\u{1b}[J", "err bar"])
  }

  @Test func `is a page from the top of the screen, drawn over itself and again when it was forgotten`() {
    let screen = screen()
    let page = LivePart.page(["a", "b"])
    let drawn = "out \u{1b}[Ha\u{1b}[K\nb\u{1b}[K\n\u{1b}[J"
    for _ in 0..<2 { screen.show(page) }
    #expect(log.taken() == [drawn])
    screen.forgetPage()
    for _ in 0..<2 { screen.show(page) }
    #expect(log.taken() == [drawn])
    screen.show(.page(["c"]))
    #expect(log.taken() == ["out \u{1b}[Hc\u{1b}[K\n\u{1b}[J"])
    screen.write("kept\n", to: .errors)
    screen.open(Self.question)
    #expect(log.taken() == ["out \u{1b}[Hc\u{1b}[K\nQ\u{1b}[K\n> \u{1b}[K\u{1b}[J"])
    // Without the page the question stands alone, and still keeps all lines away.
    screen.show(nil)
    #expect(log.taken() == ["err Q\n> "])
    screen.close()
    #expect(log.taken() == ["err \r\u{1b}[1A\u{1b}[J", "err kept\n"])
  }

  @Test func `is what was kept as soon as a page is taken away`() {
    let screen = screen()
    screen.show(.page([]))
    screen.write("one\n", to: .output)
    screen.open(Self.question)
    screen.close(leaving: ["two"])
    _ = log.taken()
    screen.show(nil)
    #expect(log.taken() == ["out one\n", "err two\n"])
    screen.forgetPage()
    screen.show(.lines(["a"]))
    screen.show(.lines(["a"]))
    #expect(log.taken() == ["out a\n"])
  }

  @Test func `is bounded while a question is open, and whole again with the next one`() {
    let screen = screen()
    let most = String(repeating: "x", count: (64 << 10) - 1) + "\n"
    for _ in 0..<2 {
      screen.open(Self.question)
      _ = log.taken()
      screen.write(most, to: .errors)
      screen.write("", to: .errors)
      screen.write("y", to: .errors)
      screen.write("y", to: .errors)
      screen.write("z\n", to: .output)
      screen.close()
      #expect(log.taken().dropFirst() == ["err \(most)", "err ", "out z\n", "err … 2 lines left out\n"])
    }
    screen.open(Self.question)
    screen.write("a" + most, to: .errors)
    screen.write("b\n", to: .errors)
    _ = log.taken()
    screen.close()
    #expect(log.taken().dropFirst() == ["err b\n", "err … 1 lines left out\n"])
  }

  @Test func `is only what can be drawn over, and the rest at once`() {
    let screen = screen(.none, errors: Self.moving)
    screen.show(.lines(["a"]))
    screen.show(.page(["a"]))
    #expect(log.taken() == [])
    screen.show(.drawing("bar", erasing: "gone"))
    screen.open(Self.question)
    screen.write("x\n", to: .output)
    #expect(log.taken() == ["err bar", "err gone", "err Q\n> ", "out x\n"])
  }

  @Test func `is as long as the screen, without its last line and column`() {
    let screen = screen(size: TerminalSize(columns: 5, lines: 4))
    screen.show(.lines(["abcd", "abcde", "c", "d"]))
    #expect(log.taken() == ["out abcd\nabc…\nc\n"])
    screen.open(Self.question)
    #expect(log.taken().last == "out abcd\nQ\n> ")
    screen.change { $0.lines = ["ab cd", "ef"] }
    #expect(log.taken().last == "out cd\nef\n> ")
    screen.change { $0.typed = "123" }
    #expect(log.taken().last == "out cd\nef\n> 23")
    let unknown = self.screen(size: nil)
    unknown.show(.lines((1...30).map { _ in "1234567890123456789012" }))
    #expect(log.taken() == ["out " + String(repeating: "123456789012345678…\n", count: 23)])
  }

  @Test func `is the difference of a question where nothing is drawn over`() {
    let screen = screen(Self.fixed)
    screen.open(Self.question)
    for typed in ["a", "a日", "a", "", "xy", "z"] { screen.change { $0.typed = "\(typed)" } }
    #expect(
      log.taken() == [
        "err Q\n> ", "err a", "err 日", "err \u{8} \u{8}\u{8} \u{8}", "err \u{8} \u{8}", "err xy", "err z",
      ])
    screen.change { $0.mark = "? " }
    screen.change { $0.lines += ["R", "S"] }
    #expect(log.taken() == ["err \n? z", "err \nR\nS\n? z"])
    screen.close(leaving: ["done"])
    #expect(log.taken() == ["err \n", "err done\n"])
    screen.open(Prompt(["W"], mark: "word: ", isEditedByTerminal: true))
    screen.close()
    #expect(log.taken() == ["err W\nword: "])
  }
}
