/// A file of the repository, as it was when this program was built. A build plugin lists those of each target.
package struct EmbeddedFile: Sendable {
  /// The path below the folder that the plugin embeds for the target.
  package let path: String
  private let literal: String

  /// Embeds a file.
  ///
  /// - Parameter literal: its text without the last line feed.
  package init(path: String, literal: String) {
    self.path = path
    self.literal = literal
  }

  /// The text with the last line feed, which the literal lacks. Made at each call: every command looks at the paths.
  package var text: String { literal.isEmpty ? "" : literal + "\n" }
}
