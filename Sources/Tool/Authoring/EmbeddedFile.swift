/// A file of `Plugins/Clients` or `Plugins/Templates`, as it was when this program was built.
struct EmbeddedFile: Sendable {
  /// Below `Plugins`.
  let path: String
  private let literal: String

  init(path: String, literal: String) {
    self.path = path
    self.literal = literal
  }

  /// With the last line feed, which the literal has not. Made when it is asked for: every command looks at the paths.
  var text: String { literal.isEmpty ? "" : literal + "\n" }

  /// The files below a folder, with their paths in it.
  static func files(below folder: String) -> [(path: String, text: String)] {
    written.filter { $0.path.hasPrefix(folder + "/") }.map { (String($0.path.dropFirst(folder.count + 1)), $0.text) }
  }
}
