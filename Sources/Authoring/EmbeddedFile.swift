/// A file of `Plugins/Clients` or `Plugins/Templates`, as it was when this program was built.
struct EmbeddedFile: Sendable {
  /// Below `Plugins`.
  let path: String
  let text: String

  init(path: String, literal: String) {
    self.path = path
    text = literal.isEmpty ? "" : literal + "\n"
  }

  /// The files below a folder, with their paths in it.
  static func files(below folder: String) -> [(path: String, text: String)] {
    written.filter { $0.path.hasPrefix(folder + "/") }.map { (String($0.path.dropFirst(folder.count + 1)), $0.text) }
  }
}
