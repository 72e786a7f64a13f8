import CommandLineTool
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A console` {
  private final class Streams: Sendable {
    let output = Mutex("")
    let errors = Mutex("")

    func console(_ verbosity: Console.Verbosity = .normal, errorTerminal: Terminal = .none) -> Console {
      Console(
        verbosity: verbosity, errorTerminal: errorTerminal, output: { text in self.output.withLock { $0 += text } },
        errors: { text in self.errors.withLock { $0 += text } })
    }
  }

  @Test func `sends results to one stream and everything else to the other`() {
    let streams = Streams()
    let console = streams.console()
    console.print("result")
    console.note("note")
    console.detail("detail")
    console.warn("careful")
    console.fail("It broke.\("\u{1b}")", help: "Mend it.")
    #expect(streams.output.withLock { $0 } == "result\n")
    #expect(
      streams.errors.withLock { $0 } == "note\nwarning: careful\nerror: It broke.\\u{1b}\nhelp: Mend it.\n")
  }

  @Test func `is quiet or says more when asked`() {
    let quiet = Streams()
    quiet.console(.quiet).note("note")
    quiet.console(.quiet).warn("careful")
    quiet.console(.quiet).fail("It broke.")
    #expect(quiet.errors.withLock { $0 } == "error: It broke.\n")
    let verbose = Streams()
    verbose.console(.verbose).detail("detail")
    #expect(verbose.errors.withLock { $0 } == "detail\n")
  }

  @Test func `shows a progress bar only on a terminal`() {
    let pipe = Streams()
    var hidden = ProgressBar(pipe.console())
    hidden.show(0.5, "half")
    hidden.finish()
    #expect(pipe.errors.withLock { $0 } == "")

    let screen = Streams()
    var bar = ProgressBar(screen.console(errorTerminal: Terminal(width: 40, showsStyles: false)))
    bar.show(0.5, "half")
    bar.show(0.5, "half")
    bar.show(.nan, "\("\u{1b}")odd")
    bar.finish()
    #expect(
      screen.errors.withLock { $0 }
        == "[######       ]  50 % half\r\u{1b}[K[             ]   0 % \\u{1b}odd\r\u{1b}[K")
  }

  @Test func `is no terminal over a pipe`() {
    let terminal = Terminal(descriptor: -1, environment: ["COLUMNS": "80"])
    #expect(terminal == .none)
    #expect(terminal.styled("x", .red) == "x")
  }
}
