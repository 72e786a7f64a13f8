import CommandLineTool

/// A user's input in a compose sheet: a line of the text, or a command that begins with a slash.
enum ComposeLine: Equatable {
  case text(String)
  case post
  case cancel
  case clear
  case complete
  case option(Int)
  case unknown(String)
  case nothing

  static let help: ShownText =
    "Write the text line by line. /1, /2 … sets an option, /complete takes a suggestion, /clear begins anew, "
    + "/post posts, /cancel gives up."

  /// - Parameter line: as it was typed. Two slashes begin a text that begins with one.
  init(_ line: String) {
    let word = line.filter { $0 != " " }
    switch word {
    case "": self = .nothing
    case "/post": self = .post
    case "/cancel": self = .cancel
    case "/clear": self = .clear
    case "/complete": self = .complete
    case _ where line.hasPrefix("//"): self = .text(String(line.dropFirst()))
    case _ where line.hasPrefix("/"):
      let number = Int(word.dropFirst()).flatMap { $0 < 0 ? nil : $0 }
      self = number.map { .option($0) } ?? .unknown(word)
    default: self = .text(line)
    }
  }
}
