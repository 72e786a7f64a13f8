import Glibc

/// Reads small files that others wrote: only regular files, never more than a bound, never waiting.
enum RegularFile {
  /// Why a file cannot be read, one sentence without its name.
  struct Failure: Error {
    let message: String
    let recovery: String
  }

  /// The bytes of a file.
  ///
  /// A named pipe, a device or a folder is refused without being read, so nothing can make the reader wait.
  ///
  /// - Parameter followsLink: whether the path may be a symbolic link to the file.
  static func read(_ path: String, limit: Int, followsLink: Bool = true) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { throw system("The file cannot be opened") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw system("The file cannot be examined") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(message: "This is not a regular file.", recovery: "Put a file in its place.")
    }
    guard status.st_size <= limit else {
      throw Failure(message: "The file is larger than \(limit / 1024) KiB.", recovery: "Make it smaller.")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if got == 0 { break }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw system("The file cannot be read") }
      count += got
    }
    guard count <= status.st_size else {
      throw Failure(message: "The file grew while it was read.", recovery: "Try again.")
    }
    return Array(bytes.prefix(count))
  }

  private static func system(_ what: String) -> Failure {
    Failure(message: "\(what): \(ErrnoText.of(errno)).", recovery: "Check that the file is there and may be read.")
  }
}
