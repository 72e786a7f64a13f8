import CLinux
import Glibc

/// What the system knows of a file without opening it.
package struct FileStatus: Sendable, Equatable {
  /// What a path leads to.
  package enum Kind: Sendable, Equatable {
    case regular, directory, characterDevice, link, other
  }

  /// Whether it is a file, a folder, a link or something else.
  package let kind: Kind
  /// The permissions with the bits for set-user-ID, set-group-ID and sticky, and the kind as `stat` encodes it.
  package let mode: UInt32
  /// The user who owns it.
  package let owner: UInt32
  /// The group that it belongs to.
  package let group: UInt32
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
    group = value.st_gid
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

/// Which file a path leads to.
package struct FileIdentity: Sendable, Equatable {
  private let device: UInt
  private let inode: UInt

  /// - Returns: `nil` when there is no such file.
  package init?(path: String) {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return nil }
    (device, inode) = (UInt(info.st_dev), UInt(info.st_ino))
  }
}

/// What tells whether a file is still the one that was looked at: the file itself, its size and its last change.
package struct FileStamp: Sendable, Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let changed: Int64
  private let changedNanoseconds: Int64

  /// - Returns: `nil` when there is no such file.
  package init?(_ path: String) {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return nil }
    device = UInt64(info.st_dev)
    inode = UInt64(info.st_ino)
    size = Int64(info.st_size)
    changed = Int64(info.st_ctim.tv_sec)
    changedNanoseconds = Int64(info.st_ctim.tv_nsec)
  }

  /// The same as a text, for a file.
  package var text: String { "\(device):\(inode):\(size):\(changed).\(changedNanoseconds)" }
}
