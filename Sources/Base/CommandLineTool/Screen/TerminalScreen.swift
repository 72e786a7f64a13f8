import Synchronization

/// The owner of a tool's output streams: whatever the tool writes to a terminal goes through here, and nothing else writes.
///
/// Three kinds of text share a terminal. Lines stay where they are written. A live part stands below them, and is taken
/// away before a line is written and drawn again after it. A prompt asks the user something and stands below both; while one
/// is open nothing else is written to a terminal: lines are kept, and written when it has been answered. A stream that is no
/// terminal is always written to at once.
package final class TerminalScreen: Sendable {
  /// One of the two streams.
  package enum Stream: Sendable { case output, errors }

  private struct State {
    var live: LivePart?
    var prompt: Prompt?
    /// What takes off the screen that is drawn below the lines.
    var erasing = ""
    /// Lines of others, in the order in which they came.
    var kept: [(stream: Stream, text: String)] = []
    /// Bytes of ``kept`` that are for standard error.
    var keptBytes = 0
    var leftOut = 0
    /// Whether something else may stand where the page was drawn.
    var isPageForgotten = false
  }

  /// Bytes for standard error that are kept while a prompt is open; what comes then is counted.
  static let keptLimit = 64 << 10

  private let outputs: [Stream: @Sendable (String) -> Void]
  private let terminals: [Stream: Terminal]
  private let size: @Sendable () -> TerminalSize?
  private let state = Mutex(State())

  /// Creates an owner of two sinks.
  ///
  /// - Parameters:
  ///   - terminal: what standard output is.
  ///   - errorTerminal: what standard error is.
  ///   - size: the present size of the terminal; asked before each drawing. 80 columns and 24 lines where it is not known.
  package init(
    terminal: Terminal, errorTerminal: Terminal, output: @escaping @Sendable (String) -> Void,
    errors: @escaping @Sendable (String) -> Void, size: @escaping @Sendable () -> TerminalSize?
  ) {
    outputs = [.output: output, .errors: errors]
    terminals = [.output: terminal, .errors: errorTerminal]
    self.size = size
  }

  /// Whether a prompt is open.
  package var isAsking: Bool { state.withLock { $0.prompt != nil } }

  /// Writes text that stays, which ends with a line end unless the caller goes on with the same line.
  package func write(_ text: String, to stream: Stream) {
    state.withLock { state in
      guard isTerminal(stream) else { return put(text, stream) }
      if state.prompt != nil || state.live?.isPage == true { return keep(text, stream, &state) }
      erase(&state)
      put(text, stream)
      draw(&state)
    }
  }

  /// Shows a live part in place of the one before; `nil` takes it away.
  package func show(_ live: LivePart?) {
    state.withLock { state in
      guard state.live != live || live?.isPage == true && state.isPageForgotten else { return }
      state.isPageForgotten = false
      if let live, !canDraw(live) { return }
      // What is typed stands where only the terminal knows.
      if state.prompt?.isEditedByTerminal == true {
        state.live = live
        return
      }
      // A page is drawn over itself, so that nothing flickers.
      if live?.isPage != true || state.live?.isPage != true { erase(&state) }
      let wasPage = state.live?.isPage == true
      state.live = live
      if wasPage, live == nil, state.prompt == nil { writeKept(&state) }
      draw(&state)
    }
  }

  /// Has the next page drawn though nothing of it changed: a shell, or a change of the window, may have left something else
  /// there.
  package func forgetPage() { state.withLock { $0.isPageForgotten = true } }

  /// Shows a question, and keeps everything else away until ``close(leaving:)``.
  package func open(_ prompt: Prompt) {
    state.withLock { state in
      erase(&state)
      state.prompt = prompt
      if prompt.isEditedByTerminal, state.live?.isPage != true {
        put(text(of: prompt), .errors)
      } else {
        draw(&state)
      }
    }
  }

  /// Shows more of a question, or more of its answer.
  package func change(_ body: (inout Prompt) -> Void) {
    state.withLock { state in
      guard var prompt = state.prompt else { return }
      let before = prompt
      body(&prompt)
      guard prompt != before else { return }
      state.prompt = prompt
      guard movesCursor else { return put(prompt.difference(from: before), .errors) }
      if state.live?.isPage != true { erase(&state) }
      draw(&state)
    }
  }

  /// Ends a question: it is taken away, and what was kept meanwhile is written.
  ///
  /// - Parameter lines: stay in its place.
  package func close(leaving lines: [ShownText] = []) {
    state.withLock { state in
      guard let prompt = state.prompt else { return }
      if !movesCursor, !prompt.isEditedByTerminal { put("\n", .errors) }
      erase(&state)
      state.prompt = nil
      let left = lines.map { "\($0)\n" }.joined()
      if state.live?.isPage == true {
        if !left.isEmpty { keep(left, .errors, &state) }
      } else {
        if !left.isEmpty { put(left, .errors) }
        writeKept(&state)
      }
      draw(&state)
    }
  }

  // MARK: Kept lines

  private func keep(_ text: String, _ stream: Stream, _ state: inout State) {
    if stream == .errors {
      guard state.keptBytes + text.utf8.count <= Self.keptLimit else {
        state.leftOut += 1
        return
      }
      state.keptBytes += text.utf8.count
    }
    state.kept.append((stream, text))
  }

  private func writeKept(_ state: inout State) {
    for (stream, text) in state.kept { put(text, stream) }
    if state.leftOut > 0 { put("… \(state.leftOut) lines left out\n", .errors) }
    (state.kept, state.keptBytes, state.leftOut) = ([], 0, 0)
  }

  // MARK: Drawing

  /// The whole of a question, as it is written where nothing can be drawn over.
  private func text(of prompt: Prompt) -> String {
    let columns = size()?.columns ?? terminals[.errors]?.width ?? 80
    let lines = prompt.lines.flatMap { wrapped($0, toWidth: columns) }
    return (lines + ["\(prompt.mark)\(prompt.typed)"]).joined(separator: "\n").description
  }

  private func put(_ text: String, _ stream: Stream) { outputs[stream]?(text) }

  private func isTerminal(_ stream: Stream) -> Bool { terminals[stream]?.isTerminal == true }

  /// Whether the terminal that shows questions can be drawn over.
  private var movesCursor: Bool { terminals[.errors]?.movesCursor == true }

  private func canDraw(_ live: LivePart) -> Bool { terminals[live.stream]?.movesCursor == true }

  private func erase(_ state: inout State) {
    if !state.erasing.isEmpty { put(state.erasing, state.live?.stream ?? .errors) }
    state.erasing = ""
  }

  private func draw(_ state: inout State) {
    let size = size() ?? TerminalSize(columns: terminals[.errors]?.width ?? 80, lines: 24)
    // A character in the last column would move the cursor on some terminals, and not on others.
    let columns = max(1, size.columns - 1)
    let question = state.prompt.map { $0.drawing(columns: columns, lines: size.lines - 1) } ?? []
    let space = max(0, size.lines - 1 - question.count)
    switch state.live {
    case .page(let lines):
      // Home, then each line to its end, then the rest of the screen.
      let page = (lines.prefix(space).map { "\($0)\u{1b}[K\n" as ShownText } + question.isolated).joined()
      put("\u{1b}[H\(page)\u{1b}[J", .output)
    case .lines(let lines) where state.prompt?.isEditedByTerminal != true:
      let drawn = lines.prefix(space).map { cut($0, toWidth: columns) }
      put(drawn.map { "\($0)\n" }.joined() + question.joined(separator: "\n").description, .output)
      state.erasing = Self.erasing(lines: drawn.count + question.count, endsOpen: !question.isEmpty)
    case .drawing(let drawing, let erasing) where state.prompt == nil:
      put(drawing.description, .errors)
      state.erasing = erasing.description
    default:
      guard let prompt = state.prompt, !prompt.isEditedByTerminal else { return }
      guard movesCursor else { return put(text(of: prompt), .errors) }
      put(question.joined(separator: "\n").description, .errors)
      state.erasing = Self.erasing(lines: question.count, endsOpen: true)
    }
  }

  /// - Parameter endsOpen: whether the cursor is in the last line, and not below it.
  private static func erasing(lines: Int, endsOpen: Bool) -> String {
    let up = endsOpen ? lines - 1 : lines
    return (endsOpen ? "\r" : "") + (up > 0 ? "\u{1b}[\(up)A" : "") + (lines > 0 ? "\u{1b}[J" : "")
  }
}

extension [ShownText] {
  /// The lines of a question at the bottom of a page: the cursor stays in the last one.
  fileprivate var isolated: [ShownText] {
    enumerated().map { "\($1)\u{1b}[K\($0 < count - 1 ? "\n" as ShownText : "")" }
  }
}

extension Prompt {
  /// What makes a terminal that cannot be drawn over show it, behind what it shows already.
  fileprivate func difference(from before: Prompt) -> String {
    var text = ""
    let added = lines.dropFirst(before.lines.count)
    if !added.isEmpty {
      text = added.map { "\n\($0)" }.joined() + "\n\(mark)"
    } else if mark != before.mark {
      text = "\n\(mark)"
    } else if before.typed.description.hasPrefix(typed.description) {
      let gone = before.typed.width - typed.width
      return String(repeating: "\u{8} \u{8}", count: gone)
    } else {
      let shared = typed.description.hasPrefix(before.typed.description) ? before.typed.description.count : 0
      return String(typed.description.dropFirst(shared))
    }
    return text + typed.description
  }
}
