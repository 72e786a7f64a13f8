import CLinux
import Files
import Glibc

/// A file that a user asks a result to be written to.
package enum OutputFile {
  /// Writes all bytes. A file of that name is replaced at once or not at all and keeps its mode; a device or a pipe is
  /// written to.
  ///
  /// - Throws: `OutputError` when the file cannot be written; an existing file is then as it was.
  package static func write(_ bytes: [UInt8], to path: String) throws(OutputError) {
    var info = stat()
    let exists = stat(path, &info) == 0
    if exists, info.st_mode & S_IFMT != S_IFREG { return try writeThrough(bytes, to: path) }
    let target = resolved(path)
    let new: String
    do throws(FileError) {
      new = try File.write(bytes, beginning: target)
    } catch {
      throw OutputError(message: error.message)
    }
    let mask = umask(0)
    umask(mask)
    // Before it has its name: later that may lead elsewhere.
    chmod(new, exists ? info.st_mode & 0o7777 : 0o666 & ~mask)
    guard rename(new, target) == 0 else {
      let error = failure(path)
      File.remove(new)
      throw error
    }
  }

  /// Writes all bytes to a file that nothing had the name of. For a name that the tool has to choose.
  ///
  /// - Throws: `OutputError` when the name is taken, by a link too, or the file cannot be written.
  package static func writeNew(_ bytes: [UInt8], to path: String) throws(OutputError) {
    do throws(FileError) {
      try File.writeNew(bytes, to: path)
    } catch {
      guard error.kind == .system(SystemError(EEXIST)) else { throw OutputError(message: error.message) }
      throw OutputError(message: "There is a file “\(path)” here already.")
    }
  }

  private static func writeThrough(_ bytes: [UInt8], to path: String) throws(OutputError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT != S_IFREG else {
      throw OutputError(message: "\(path) became another file while it was opened.")
    }
    guard clinux_write_all(descriptor, bytes, bytes.count) == 0 else { throw failure(path) }
  }

  /// The file that a link leads to: what is replaced is the file and not the link.
  private static func resolved(_ path: String) -> String {
    File.resolved(path) ?? path
  }

  private static func failure(_ path: String) -> OutputError {
    OutputError(message: "Cannot write \(path): \(SystemError.last).")
  }
}

/// An output that cannot be created.
package struct OutputError: Error {
  /// What failed, in one sentence.
  package let message: String

  /// Creates an error from one sentence that names the output.
  package init(message: String) { self.message = message }
}

/// The name of a file that an extension, a server or a document chose, and the user did not.
package enum ForeignName {
  /// The longest name, in bytes: file systems take 255.
  private static let limit = 200

  /// A name like the foreign one that only names a file: its last component, not hidden, no option of a command, and
  /// without characters that steer a terminal or reorder what is read.
  package static func safe(_ name: String) -> String {
    var safe = ""
    for scalar in Folder.name(of: name).unicodeScalars {
      safe.unicodeScalars.append(scalar.isPlain ? scalar : "_")
      if safe.utf8.count >= limit { break }
    }
    if let first = safe.unicodeScalars.first, [".", "-", "~", " "].contains(first) { safe = "_\(safe.dropFirst())" }
    return safe.isEmpty ? "document" : safe
  }
}

extension Unicode.Scalar {
  fileprivate var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
    default: self != "/"
    }
  }
}
