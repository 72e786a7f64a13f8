import CLinux
import Glibc

/// What the sandbox asks of the file system: looks only, never changes anything.
package enum FileSystem {
  enum Kind: Sendable {
    case regular, directory, characterDevice, link, other
  }

  struct Status: Sendable {
    let kind: Kind
    let mode: UInt32
    let owner: UInt32

    /// Whether a program with this mode takes another identity, or another user can change it.
    var isSetID: Bool { mode & 0o6000 != 0 }
    var isWritableByOthers: Bool { mode & 0o022 != 0 }
    var isExecutable: Bool { mode & 0o111 != 0 }
  }

  /// The file itself, not what a link points at; nil when there is none or it cannot be looked at.
  static func status(of path: String) -> Status? {
    var value = stat()
    guard unsafe lstat(path, &value) == 0 else { return nil }
    let kind: Kind =
      switch value.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFCHR: .characterDevice
      case S_IFLNK: .link
      default: .other
      }
    return Status(kind: kind, mode: UInt32(value.st_mode), owner: value.st_uid)
  }

  /// The names in a directory but `.` and `..`; none when it cannot be read.
  package static func names(in path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  static func linkTarget(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink(path, &buffer, buffer.count)
    guard length > 0, length < buffer.count else { return nil }
    return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Up to `limit` bytes from the start of a regular file; nil when it is none or cannot be read.
  static func prefix(of path: String, limit: Int, from offset: Int = 0) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var value = stat()
    guard unsafe fstat(descriptor, &value) == 0, limit > 0, offset >= 0 else { return nil }
    // The files of /proc say that they are empty.
    guard value.st_mode & S_IFMT == S_IFREG else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        guard let base = buffer.baseAddress else { return }
        let received = unsafe pread(descriptor, base + count, limit - count, offset + count)
        if received < 0, errno == EINTR { continue }
        guard received > 0 else { return }
        count += received
      }
    }
  }
}

extension FileSystem {
  /// Whether executing the file could add capabilities.
  static func hasCapabilities(_ path: String) -> Bool {
    unsafe clinux_has_file_capabilities(path) != 0
  }
}
