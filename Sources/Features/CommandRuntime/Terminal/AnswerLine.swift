import CommandLineTool
import ExtensionHosting

/// The line on which a user types the answer to a question about a permission. Pure: bytes go in, and an answer comes out.
struct AnswerLine: Sendable {
  /// Characters that are taken; no word is longer.
  private static let limit = 40

  /// What has been typed.
  private(set) var typed = ""
  /// What was wrong with the last answer.
  private(set) var problem: ShownText?
  private let word: String
  private var attempts: Int
  private var keys = TerminalKeyReader()

  /// - Parameters:
  ///   - word: what allows.
  ///   - attempts: how many answers may be none.
  init(word: String, attempts: Int) {
    self.word = word
    self.attempts = attempts
  }

  /// Takes what was typed.
  ///
  /// - Returns: the answer, once there is one; keys behind it are lost.
  mutating func take(_ bytes: [UInt8]) -> Consent.Answer? {
    for key in keys.feed(bytes) {
      switch key {
      case .character(let character) where typed.count < Self.limit: typed.append(character)
      case .backspace where !typed.isEmpty: typed.removeLast()
      case .control("u"): typed = ""
      case .control("d") where typed.isEmpty: return .dismissed
      case .enter: if let answer = answer() { return answer }
      default: break
      }
    }
    return nil
  }

  private mutating func answer() -> Consent.Answer? {
    let said = typed.lowercased().filter { !$0.isWhitespace }
    typed = ""
    switch said {
    case word: return .granted
    case "no": return .denied
    case "": return .dismissed
    default:
      attempts -= 1
      problem = "“\(said)” is no answer. Type “\(word)”, “no”, or nothing."
      return attempts > 0 ? nil : .dismissed
    }
  }
}
