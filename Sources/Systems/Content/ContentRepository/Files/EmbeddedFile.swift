/// A file of the built-in content, as it was when this program was built.
struct EmbeddedFile: Sendable {
  /// Below the root of the content.
  let path: String
  private let literal: String

  init(path: String, literal: String) {
    self.path = path
    self.literal = literal
  }

  /// With the last line feed, which the literal has not.
  var text: String { literal.isEmpty ? "" : literal + "\n" }
}
