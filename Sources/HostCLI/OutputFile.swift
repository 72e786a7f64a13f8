import Glibc

/// A file that a user asks a result to be written to.
enum OutputFile {
  /// Writes the whole text, replacing a file of that name at once or not at all.
  ///
  /// - Throws: `OutputError` when the file cannot be created or written; an existing file is then as it was.
  static func write(_ text: String, to path: String) throws {
    var template = Array("\(path).XXXXXX".utf8CString)
    let descriptor = mkostemp(&template, O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR {
        defer { unlink(template) }
        close(descriptor)
        throw failure(path)
      }
      bytes = bytes.dropFirst(max(0, count))
    }
    fchmod(descriptor, 0o644)
    guard close(descriptor) == 0, rename(template, path) == 0 else {
      defer { unlink(template) }
      throw failure(path)
    }
  }

  private static func failure(_ path: String) -> OutputError {
    OutputError(message: "Cannot write \(path): \(String(cString: strerror(errno))).")
  }
}

/// An output that cannot be created.
struct OutputError: Error {
  let message: String
}
