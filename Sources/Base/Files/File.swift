import CLinux
import Glibc

/// Looks at files and reads them. A named pipe, a device or a folder in the place of a file is refused without being read,
/// so that nothing can make the reader wait.
package enum File {
  /// The bytes of a regular file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the largest file that is read, in bytes.
  ///   - followsLink: whether the path may be a symbolic link to the file.
  /// - Throws: `FileError`, whose message leaves the path out.
  package static func read(_ path: String, limit: Int, followsLink: Bool = true) throws(FileError) -> [UInt8] {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
    let descriptor = unsafe open(path, flags)
    guard descriptor >= 0 else { throw unreadable("The file cannot be opened") }
    defer { close(descriptor) }
    return try read(descriptor, limit: limit)
  }

  /// The bytes of a regular file that is open, from its beginning.
  ///
  /// - Parameters:
  ///   - descriptor: open for reading; stays open.
  ///   - limit: the largest file that is read, in bytes.
  /// - Throws: `FileError`.
  package static func read(_ descriptor: Int32, limit: Int) throws(FileError) -> [UInt8] {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw unreadable("The file cannot be examined") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(.notRegular, "This is not a regular file.", recovery: "Put a file in its place.")
    }
    guard status.st_size <= limit else {
      throw FileError(.tooLarge, "The file is larger than \(limit / 1024) KiB.", recovery: "Make it smaller.")
    }
    // One byte more than there should be: the file may grow meanwhile.
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe fill($0, from: descriptor, at: 0) }
    guard let count else { throw unreadable("The file cannot be read") }
    guard count <= status.st_size else {
      throw FileError(.tooLarge, "The file grew while it was read.", recovery: "Try again.")
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// A part of a regular file. The files of `/proc` say that they are empty, and can be read with this.
  ///
  /// - Parameters:
  ///   - path: the file; links are followed.
  ///   - limit: how many bytes at most.
  ///   - offset: where the part begins, in bytes.
  /// - Returns: `nil` when it is no regular file or cannot be opened; fewer bytes where it ends, or fails, before.
  package static func prefix(of path: String, limit: Int, from offset: Int = 0) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var value = stat()
    guard unsafe fstat(descriptor, &value) == 0, limit > 0, offset >= 0 else { return nil }
    guard value.st_mode & S_IFMT == S_IFREG else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit, let base = buffer.baseAddress {
        let received = unsafe pread(descriptor, base + count, limit - count, offset + count)
        if received < 0, errno == EINTR { continue }
        guard received > 0 else { return }
        count += received
      }
    }
  }

  /// Whether executing the file could add capabilities.
  package static func hasCapabilities(_ path: String) -> Bool { unsafe clinux_has_file_capabilities(path) != 0 }

  /// Whether an access list (acl(5)) lets users or groups other than the file's own do something with it.
  package static func hasAccessList(_ path: String) -> Bool { unsafe clinux_has_access_list(path) != 0 }

  // MARK: Links

  /// What a symbolic link holds; `nil` when it is none.
  package static func linkTarget(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe readlink(path, &buffer, buffer.count)
    guard length > 0, length < buffer.count else { return nil }
    return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The absolute path without links, `.` and `..`; `nil` when there is no such file, with the reason in `errno`.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  // MARK: -

  /// Reads until the buffer is full or the file ends.
  ///
  /// - Returns: how many bytes, or `nil` with the reason in `errno`.
  private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int) -> Int? {
    var count = 0
    while count < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let got = unsafe pread(descriptor, rest.baseAddress, rest.count, offset + count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { return nil }
      if got == 0 { break }
      count += got
    }
    return count
  }

  private static func unreadable(_ what: String) -> FileError {
    let error = SystemError.last
    return FileError(
      .system(error), "\(what): \(error).", recovery: "Check that the file is there and may be read.")
  }
}
