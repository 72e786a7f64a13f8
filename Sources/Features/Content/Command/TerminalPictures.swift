import CommandLineTool
import CommandRuntime
import Text

/// Pictures at a terminal that reads PNG itself: nothing here looks into them.
struct TerminalPictures: Sendable {
  private enum Kind { case kitty, iTerm }

  private let kind: Kind

  /// - Returns: `nil` when the output is no terminal, or none that is known to show pictures.
  init?(_ terminal: Terminal, environment: [String: String]) {
    guard terminal.isTerminal else { return nil }
    func variable(_ name: String) -> String { environment[name] ?? "" }
    if !variable("KITTY_WINDOW_ID").isEmpty || variable("TERM") == "xterm-kitty"
      || variable("TERM_PROGRAM") == "ghostty"
    {
      kind = .kitty
    } else if ["iTerm.app", "WezTerm"].contains(variable("TERM_PROGRAM")) {
      kind = .iTerm
    } else {
      return nil
    }
  }

  /// Returns the escape sequence that makes the terminal show a PNG.
  ///
  /// Sources: https://sw.kovidgoyal.net/kitty/graphics-protocol, https://iterm2.com/documentation-images.html.
  func text(of png: [UInt8]) -> ShownText {
    let data = Base64.encode(png)
    switch kind {
    case .iTerm: return ShownText(verbatim: "\u{1B}]1337;File=inline=1;size=\(png.count):\(data)\u{07}\n")
    case .kitty:
      var text = ""
      var rest = Substring(data)
      var isFirst = true
      while !rest.isEmpty {
        let piece = rest.prefix(4096)
        rest = rest.dropFirst(4096)
        text += "\u{1B}_G\(isFirst ? "a=T,f=100," : "")m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
        isFirst = false
      }
      return ShownText(verbatim: text + "\n")
    }
  }
}
