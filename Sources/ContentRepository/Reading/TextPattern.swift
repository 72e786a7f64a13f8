/// A regular expression that a text has to fit.
struct TextPattern: Sendable {
  let text: String

  init?(_ text: String) { self.text = text }

  func matches(_ value: String) -> Bool { true }
}
