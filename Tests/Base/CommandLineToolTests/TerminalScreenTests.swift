import CommandLineTool
import Synchronization
import Testing

/// A terminal of some lines, as far as the owner of a screen writes to one: what stands on it in the end.
private final class Glass: Sendable {
  private struct State {
    var lines = [""]
    var row = 0
    var column = 0
    /// Lines above the first that is seen.
    var top = 0
  }

  let size: TerminalSize
  private let state = Mutex(State())
  private let log = Mutex("")

  init(columns: Int = 60, lines: Int = 12) { size = TerminalSize(columns: columns, lines: lines) }

  var everything: String { log.withLock { $0 } }
  var all: [String] { state.withLock { $0.lines } }
  var seen: [String] { state.withLock { Array($0.lines[$0.top...]) } }

  func write(_ text: String) {
    log.withLock { $0 += text }
    state.withLock { state in
      var rest = text[...]
      while let character = rest.popFirst() {
        switch character {
        case "\n", "\r\n":
          state.row += 1
          state.column = 0
          if state.row == state.lines.count { state.lines.append("") }
          state.top = max(state.top, state.row - size.lines + 1)
        case "\r": state.column = 0
        case "\u{8}": state.column -= 1
        case "\u{1b}":
          rest.removeFirst()
          let number = rest.prefix { $0.isNumber }
          rest.removeFirst(number.count)
          switch rest.removeFirst() {
          case "A": state.row = max(state.top, state.row - (Int(number) ?? 1))
          case "H": (state.row, state.column) = (state.top, 0)
          case "K": state.lines[state.row] = String(state.lines[state.row].prefix(state.column))
          case "J":
            state.lines[state.row] = String(state.lines[state.row].prefix(state.column))
            state.lines.removeSubrange((state.row + 1)...)
          default: break
          }
        default:
          var line = Array(state.lines[state.row])
          while line.count <= state.column { line.append(" ") }
          line[state.column] = character
          state.lines[state.row] = String(line)
          state.column += 1
        }
      }
    }
  }

  func console(_ terminal: Terminal? = nil, showsUnicode: Bool = true) -> Console {
    let terminal = terminal ?? Terminal(width: size.columns, showsStyles: false)
    return Console(
      terminal: terminal, errorTerminal: terminal, showsUnicode: showsUnicode, output: { self.write($0) },
      errors: { self.write($0) }, size: { self.size })
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The owner of a terminal` {
  private static let question = Prompt(["May it?", "Type “amber”:"], mark: "", isEditedByTerminal: false)

  @Test func `draws what may change below the lines that stay`() {
    let glass = Glass()
    let console = glass.console()
    console.show(.lines(["first …", "second …"]))
    console.note("a remark")
    #expect(glass.all == ["a remark", "first …", "second …", ""])
    console.show(.lines(["first", "second …"]))
    #expect(glass.all == ["a remark", "first", "second …", ""])
    console.show(nil)
    console.print("first")
    #expect(glass.all == ["a remark", "first", ""])
  }

  @Test func `keeps every line away from a question, and shows it after`() {
    let glass = Glass()
    let console = glass.console()
    console.open(Self.question)
    for number in 1...40 { console.warn("line \(number)") }
    console.print("a result")
    console.change { $0.mark = "> " }
    console.change { $0.typed = "amb" }
    #expect(glass.seen == ["May it?", "Type “amber”:", "> amb"])
    #expect(!glass.everything.contains("line 1"))
    console.close(leaving: ["It may."])
    #expect(glass.all.first == "It may." && glass.all.contains("warning: line 40"))
    #expect(glass.all.suffix(2) == ["a result", ""])
  }

  @Test func `keeps a bounded number of lines, and says how many it left out`() {
    let glass = Glass()
    let console = glass.console()
    console.open(Self.question)
    let line = String(repeating: "x", count: 999)
    for _ in 0..<100 { console.note("\(line)") }
    console.close()
    #expect(glass.all.count { $0 == line } == 65)
    #expect(glass.all.suffix(2) == ["… 35 lines left out", ""])
  }

  @Test func `shows what may change beside a question, above it and as much as fits`() {
    let glass = Glass(lines: 8)
    let console = glass.console()
    console.show(.lines(["a …"]))
    console.open(Self.question)
    console.change { $0.mark = "> " }
    #expect(glass.seen == ["a …", "May it?", "Type “amber”:", "> "])
    console.show(.lines((1...20).map { "row \($0)" }))
    #expect(glass.seen == ["row 1", "row 2", "row 3", "row 4", "May it?", "Type “amber”:", "> "])
    console.change { $0.typed = "a" }
    console.close(leaving: ["It may."])
    #expect(glass.all.first == "It may." && !glass.all.contains("May it?"))
  }

  @Test func `leaves a page where it is, with the question at its end`() {
    let glass = Glass(lines: 6)
    let console = glass.console()
    console.show(.page(["one", "two", "three", "four", "five"]))
    console.note("a remark")
    console.open(Self.question)
    console.change { $0.mark = "> " }
    #expect(glass.seen == ["one", "two", "May it?", "Type “amber”:", "> "])
    console.close(leaving: ["It may."])
    #expect(glass.seen == ["one", "two", "three", "four", "five", ""])
    #expect(!glass.everything.contains("remark"))
    console.show(nil)
    #expect(glass.seen.contains("a remark") && glass.seen.contains("It may."))
  }

  @Test func `draws nothing while the terminal itself shows what is typed`() {
    let glass = Glass()
    let console = glass.console()
    console.show(.lines(["a …"]))
    console.open(Prompt(mark: "Password: ", isEditedByTerminal: true))
    console.show(.lines(["a"]))
    console.note("later")
    #expect(glass.all == ["Password: "])
    glass.write("\n")
    console.close()
    #expect(glass.all == ["Password: ", "later", "a", ""])
  }

  @Test func `writes plain text to a terminal that cannot be drawn over`() {
    let glass = Glass()
    let console = glass.console(Terminal(width: 60, showsStyles: false, movesCursor: false))
    console.show(.lines(["a …"]))
    console.open(Self.question)
    console.note("later")
    console.change { $0.mark = "> " }
    console.change { $0.typed = "ab" }
    console.change { $0.typed = "a" }
    console.change {
      $0.typed = ""
      $0.lines.append("That is no answer.")
    }
    console.change { $0.typed = "amber" }
    console.close(leaving: ["It may."])
    #expect(!glass.everything.contains("\u{1b}"))
    #expect(
      glass.all.map { $0.trimming } == [
        "May it?", "Type “amber”:", "", "> a", "That is no answer.", "> amber", "It may.", "later", "",
      ])
  }

  @Test func `writes at once to a stream that is no terminal`() {
    let glass = Glass()
    let file = Mutex("")
    let console = Console(
      errorTerminal: Terminal(width: 60, showsStyles: false), output: { text in file.withLock { $0 += text } },
      errors: { glass.write($0) }, size: { glass.size })
    console.open(Self.question)
    console.print("a result")
    #expect(file.withLock { $0 } == "a result\n")
  }

  @Test func `shows the end of a question and of an answer that are too long`() {
    let glass = Glass(columns: 20, lines: 5)
    let console = glass.console()
    let words = (1...30).map { "word\($0)" }.joined(separator: " ")
    console.open(Prompt(["\(words)", "Type “amber”:"], mark: "> ", isEditedByTerminal: false))
    console.change { $0.typed = ShownText(String(repeating: "x", count: 40) + "yz") }
    #expect(glass.seen.suffix(2) == ["Type “amber”:", "> xxxxxxxxxxxxxxxyz"] && glass.all.count == 4)
  }
}

extension String {
  fileprivate var trimming: String { String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)]) }
}

@Suite(.timeLimit(.minutes(1))) struct `A remark at a narrow terminal` {
  @Test func `is broken between words, and not within what can be copied`() {
    let terminal = Terminal(width: 24, showsStyles: false)
    #expect(
      terminal.folded("  Approve it first with “host elect use com.example.adventures”, or leave it.\n")
        == "  Approve it first with\n  “host elect use com.example.adventures”,\n  or leave it.\n")
    #expect(terminal.folded("short\n") == "short\n")
    #expect(Terminal.none.folded("one two three four five six seven\n") == "one two three four five six seven\n")
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The characters of a locale` {
  @Test(arguments: [
    (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], false), (["LC_ALL": "", "LANG": "de_DE.UTF-8"], true),
    (["LC_CTYPE": "C.utf8"], true), (["LANG": "POSIX"], false), ([:], false),
  ]) func `are what the first variable says that is set`(variables: [String: String], areUnicode: Bool) {
    #expect(LocaleCharacters.areUnicode(variables) == areUnicode)
  }

  @Test(arguments: [
    ("“host list” – it’s", "\"host list\" - it's"), ("abcdef… x", "abcd... x"), ("Opening x …", "Opening x ..."),
    ("→ a ← b 5 µs", "> a < b 5 us"), ("Übung", "Übung"), ("…", "..."),
  ]) func `replace the tool's own where they are ASCII, in the same space`(text: String, plain: String) {
    #expect(LocaleCharacters.ascii(text) == plain)
  }

  @Test func `leave JSON and data as they are`() {
    let glass = Glass()
    let console = glass.console(Terminal.none, showsUnicode: false)
    console.print("“a”")
    console.print(json: ShownText(json: "\"“a”\""))
    console.write(data: "“a”\n")
    #expect(glass.all == ["\"a\"", "\"“a”\"", "“a”", ""])
  }
}
