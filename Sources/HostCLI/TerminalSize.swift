import CommandLineTool
import Glibc
import HostServices

/// The size of the terminal that a stream leads to, in columns and lines.
struct TerminalSize: Sendable, Equatable {
  let columns: Int
  let lines: Int

  /// - Returns: `nil` when the stream is no terminal, or one that does not know its size.
  init?(descriptor: Int32) {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return nil }
    columns = Int(size.ws_col)
    lines = Int(size.ws_row)
  }
}

extension WidgetPresentation {
  /// The room that a widget has in the terminal that standard output leads to.
  ///
  /// - Parameter fitsScreen: whether an expanded widget ends at the bottom of the screen; else the screen scrolls.
  init(wanted: WidgetDisplayMode, fitsScreen: Bool) {
    let size = TerminalSize(descriptor: STDOUT_FILENO)
    self.init(
      wanted: wanted, columns: size?.columns ?? Self.standardColumns,
      maximumLines: fitsScreen ? size.map { $0.lines - 3 } ?? Self.standardLines : Self.standardLines)
  }
}
