/// What a terminal shows below the lines that stay, and that is drawn again whenever it changes.
package enum LivePart: Sendable, Equatable {
  /// Lines on standard output below the last one that stays; those that do not fit are left out at the end.
  case lines([ShownText])
  /// A page on standard output that begins at the top of the screen. Lines that others write are kept until it is taken
  /// away.
  case page([ShownText])
  /// A drawing on standard error, and what takes it off the screen again; both begin where the cursor is left.
  case drawing(ShownText, erasing: ShownText)

  /// The stream that it is drawn on.
  var stream: TerminalScreen.Stream {
    switch self {
    case .lines, .page: .output
    case .drawing: .errors
    }
  }

  var isPage: Bool { if case .page = self { true } else { false } }
}

/// A question that a terminal shows while it waits for the answer.
package struct Prompt: Sendable, Equatable {
  /// The lines of the question.
  package var lines: [ShownText]
  /// What stands before the answer, on its line.
  package var mark: ShownText
  /// What has been typed of the answer. Stays empty when the terminal itself shows what is typed.
  package var typed: ShownText = ""
  /// Whether the terminal edits the answer and shows it: then nothing can be drawn before it is given.
  package var isEditedByTerminal: Bool

  /// Creates a question with an empty answer.
  ///
  /// - Parameters:
  ///   - lines: the lines above the answer.
  ///   - mark: what stands before the answer; a space follows by itself only where the text has one.
  ///   - isEditedByTerminal: whether the terminal shows what is typed.
  package init(_ lines: [ShownText] = [], mark: ShownText, isEditedByTerminal: Bool) {
    self.lines = lines
    self.mark = mark
    self.isEditedByTerminal = isEditedByTerminal
  }

  /// The lines of at most so many columns, the answer's line last. Of a question that is longer than the space the end is
  /// shown, and of an answer that is longer than its line.
  func drawing(columns: Int, lines space: Int) -> [ShownText] {
    let question = (lines.flatMap { wrapped($0, toWidth: columns, long: broken) } + wrapped(mark, toWidth: columns))
    let last = question.last ?? ""
    let room = max(0, columns - last.width)
    let shown: ShownText = typed.width <= room ? typed : end(of: typed, fitting: room)
    return Array((question.dropLast() + ["\(last)\(shown)"]).suffix(max(1, space)))
  }
}
