import Glibc

/// The size of the terminal that a stream leads to, in columns and lines.
package struct TerminalSize: Sendable, Equatable {
  package let columns: Int
  package let lines: Int

  package init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
  }

  /// Looks at a file descriptor.
  ///
  /// - Returns: `nil` when the stream is no terminal, or one that does not know its size.
  package init?(descriptor: Int32) {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return nil }
    columns = Int(size.ws_col)
    lines = Int(size.ws_row)
  }
}
