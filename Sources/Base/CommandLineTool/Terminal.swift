import Glibc

/// What is at the other end of a stream: a terminal of some width, or not a terminal at all.
package struct Terminal: Sendable, Hashable {
  /// The number of columns; `nil` when the stream is not a terminal, so that nothing is cut for a file or a pipe.
  package let width: Int?
  /// Whether styles are shown: on a terminal, unless `NO_COLOR` is set to anything or `TERM` is `dumb`
  /// (see no-color.org).
  package let showsStyles: Bool
  /// Whether what is written can be drawn over: on a terminal, unless `TERM` is `dumb`.
  package let movesCursor: Bool

  /// Describes a stream.
  ///
  /// - Parameter movesCursor: whether it can be drawn over; never where there is no terminal.
  package init(width: Int?, showsStyles: Bool, movesCursor: Bool = true) {
    self.width = width
    self.showsStyles = showsStyles
    self.movesCursor = movesCursor && width != nil
  }

  /// An output that is not a terminal.
  package static let none = Terminal(width: nil, showsStyles: false)

  /// Looks at a file descriptor.
  package init(descriptor: Int32, environment: [String: String]) {
    guard isatty(descriptor) == 1 else {
      self = .none
      return
    }
    var size = winsize()
    let known = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    width = known ? Int(size.ws_col) : environment["COLUMNS"].flatMap { Int($0) } ?? 80
    movesCursor = environment["TERM"] != "dumb"
    showsStyles = (environment["NO_COLOR"] ?? "").isEmpty && movesCursor
  }

  /// Returns the terminal with another width, or the same terminal when the width is not known.
  package func resized(to width: Int?) -> Terminal {
    isTerminal ? Terminal(width: width ?? self.width, showsStyles: showsStyles, movesCursor: movesCursor) : self
  }

  /// Whether the stream is a terminal.
  package var isTerminal: Bool { width != nil }

  /// The text in a style, where styles are shown; else the text alone.
  package func styled(_ text: ShownText, _ style: TextStyle?) -> ShownText {
    guard showsStyles, let style, text != "" else { return text }
    return style.applied(to: text)
  }
}

/// An emphasis that a terminal can show (ECMA-48, "select graphic rendition").
package enum TextStyle: Int, Sendable, Hashable {
  case bold = 1
  case dim = 2
  case inverse = 7
  case red = 31
  case green = 32
  case yellow = 33
  case blue = 34
  case cyan = 36

  /// The text between the sequences that switch the style on and off.
  func applied(to text: ShownText) -> ShownText { "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" }
}
