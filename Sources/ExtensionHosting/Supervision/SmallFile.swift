package import ExtensionProtocol
import Glibc

/// A small file of the host's own state: read whole, replaced whole.
package enum SmallFile {
  /// The largest file that is read, in bytes.
  private static let limit = 4 << 20

  /// The bytes, or `nil` when the file cannot be read.
  package static func read(_ path: String) -> [UInt8]? {
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
