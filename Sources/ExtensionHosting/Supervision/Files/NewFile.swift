import CLinux
import ExtensionProtocol
import Glibc

/// A file with a name of its own, written whole.
enum NewFile {
  /// Makes a file that did not exist and writes all of the bytes; readable by its owner alone.
  ///
  /// - Parameters:
  ///   - prefix: the path, to which some characters are added.
  ///   - owner: the user and group that the file is given to.
  /// - Returns: the path. A file that could not be written whole is removed.
  static func write(
    _ bytes: [UInt8], prefix: String, owner: ExtensionUser? = nil
  ) throws(ExtensionError) -> String {
    let (descriptor, path) = try create(prefix)
    var error: Int32 = 0
    if let owner, fchown(descriptor, owner.uid, owner.gid) != 0 { error = errno }
    if error == 0, clinux_write_all(descriptor, bytes, bytes.count) != 0 { error = errno }
    if close(descriptor) != 0, error == 0 { error = errno }
    guard error == 0 else {
      unlink(path)
      throw failure(path, error)
    }
    return path
  }

  static func failure(_ path: String, _ error: Int32) -> ExtensionError {
    ExtensionError(.storeFailed, "Cannot write \(path): \(ErrnoText.of(error)).")
  }

  /// Makes a file that did not exist, open for writing and readable by its owner alone.
  static func create(_ prefix: String) throws(ExtensionError) -> (Int32, String) {
    for _ in 0..<100 {
      let path = "\(prefix).\(String(UInt64.random(in: 0...(.max)), radix: 36))"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor >= 0 { return (descriptor, path) }
      guard errno == EEXIST else { break }
    }
    throw failure(prefix, errno)
  }
}
