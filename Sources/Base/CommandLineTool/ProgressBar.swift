/// A bar that grows on the standard error stream of a terminal, and shows nothing elsewhere.
package struct ProgressBar: ~Copyable {
  private let console: Console
  private var shown: ShownText = ""

  /// Creates a bar that is drawn on the console's error stream if that is a terminal.
  package init(_ console: Console) { self.console = console }

  /// Draws the bar again when it looks different.
  ///
  /// - Parameters:
  ///   - fraction: from 0 to 1; `nil` when the total is not known: only the label is shown.
  ///   - label: what is happening, in a few words.
  package mutating func show(_ fraction: Double?, _ label: ShownText) {
    guard let width = console.errorTerminal.width, console.errorTerminal.movesCursor, console.verbosity != .quiet
    else { return }
    let line = Self.line(fraction, label, width: width)
    guard line != shown else { return }
    shown = line
    console.show(.drawing(line, erasing: "\r\u{1b}[K"))
  }

  /// Removes the bar from the terminal.
  package mutating func finish() {
    guard shown != "" else { return }
    shown = ""
    console.show(nil)
  }

  deinit { if shown != "" { console.show(nil) } }

  /// The bar as text of at most `width - 1` columns: `[#####     ]  50 % label`.
  static func line(_ fraction: Double?, _ label: ShownText, width: Int) -> ShownText {
    guard let fraction else { return cut(label, toWidth: width - 1) }
    let part = fraction.isNaN ? 0 : min(1, max(0, fraction))
    let length = max(4, min(40, width / 3))
    let filled = Int((part * Double(length)).rounded(.down))
    let bar = String(repeating: "#", count: filled) + String(repeating: " ", count: length - filled)
    let digits = String(Int((part * 100).rounded(.down)))
    let percent = String(repeating: " ", count: 3 - digits.count) + digits
    return cut("[\(bar)] \(percent) % \(label)", toWidth: width - 1)
  }
}
