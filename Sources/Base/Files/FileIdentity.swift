import Glibc

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
