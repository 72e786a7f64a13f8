import Files

extension EmbeddedFile {
  /// Returns the files of `Plugins` below a folder, with their paths in that folder.
  static func files(below folder: String) -> [(path: String, text: String)] {
    written.filter { $0.path.hasPrefix(folder + "/") }.map { (String($0.path.dropFirst(folder.count + 1)), $0.text) }
  }
}
