package import ExtensionProtocol
import Glibc

/// A small file of the host's own state: read whole, replaced whole.
package enum SmallFile {
  /// The bytes, or `nil` when the file cannot be read.
  ///
  /// - Parameter limit: the largest file that is read, in bytes.
  package static func read(_ path: String, limit: Int = 4 << 20) -> [UInt8]? {
    try? RegularFile.read(path, limit: limit, followsLink: false)
  }

  /// Writes a new file beside the old one and puts it in its place: a crash leaves the one or the other.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(ExtensionError) {
    let new = try NewFile.write(bytes, prefix: path)
    guard rename(new, path) == 0 else {
      let error = errno
      unlink(new)
      throw NewFile.failure(path, error)
    }
  }
}
