import Glibc

extension File {
  /// The bytes of a regular file that its owner alone may read or write, and that belongs to the user of this process, or to
  /// root.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the largest file that is read, in bytes.
  ///   - followsLink: whether the path may be a symbolic link to the file.
  /// - Returns: `nil` when there is none.
  /// - Throws: `FileError`, `notPrivate` when others may get at it.
  package static func readPrivate(_ path: String, limit: Int, followsLink: Bool = false) throws(FileError) -> [UInt8]? {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
    let descriptor = unsafe open(path, flags)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .cannot("open", path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .cannot("examine", path) }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw FileError(.notPrivate, "\(path) belongs to another user.", recovery: "Use a file of your own.")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw FileError(
        .notPrivate, "Other users may read or change \(path): its mode is \(String(status.st_mode & 0o777, radix: 8)).",
        recovery: "Set its mode to 600.")
    }
    return try read(descriptor, limit: limit)
  }
}
