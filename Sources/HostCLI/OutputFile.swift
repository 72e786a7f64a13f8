import ExtensionHosting
import ExtensionProtocol
import Glibc

/// A file that a user asks a result to be written to.
enum OutputFile {
  /// Writes the whole text, replacing a file of that name at once or not at all.
  ///
  /// - Throws: `OutputError` when the file cannot be written; an existing file is then as it was.
  static func write(_ text: String, to path: String) throws {
    do {
      try SmallFile.replace(path, with: Array(text.utf8))
      chmod(path, 0o644)
    } catch {
      throw OutputError(message: error.message)
    }
  }
}

/// An output that cannot be created.
struct OutputError: Error {
  let message: String
}
