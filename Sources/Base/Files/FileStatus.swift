import CLinux
import Glibc

/// What the system knows of a file without opening it.
package struct FileStatus: Sendable, Equatable {
  /// What a path leads to.
  package enum Kind: Sendable, Equatable {
    case regular, directory, characterDevice, link, other
  }

  package let kind: Kind
  /// The permissions with the bits for set-user-ID, set-group-ID and sticky, and the kind as `stat` encodes it.
  package let mode: UInt32
  /// The user who owns it.
  package let owner: UInt32
  /// Bytes.
  package let size: Int64
  /// When the contents were last changed, in seconds since 1970.
  package let modified: Double

  /// - Parameters:
  ///   - path: the file.
  ///   - followsLink: whether a symbolic link stands for what it leads to.
  /// - Returns: `nil` when there is no such file or it cannot be looked at.
  package init?(_ path: String, followsLink: Bool = false) {
    var value = stat()
    guard unsafe (followsLink ? stat(path, &value) : lstat(path, &value)) == 0 else { return nil }
    self.init(value)
  }

  init(_ value: stat) {
    kind =
      switch value.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFCHR: .characterDevice
      case S_IFLNK: .link
      default: .other
      }
    mode = UInt32(value.st_mode)
    owner = value.st_uid
    size = Int64(value.st_size)
    modified = Double(value.st_mtim.tv_sec) + Double(value.st_mtim.tv_nsec) / 1e9
  }

  /// Whether a program with this mode takes the identity of its owner or its group.
  package var isSetID: Bool { mode & 0o6000 != 0 }
  /// Whether another user can change it.
  package var isWritableByOthers: Bool { mode & 0o022 != 0 }
  /// Whether somebody may execute it.
  package var isExecutable: Bool { mode & 0o111 != 0 }
}
