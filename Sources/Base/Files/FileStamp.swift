import CLinux
import Glibc

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
