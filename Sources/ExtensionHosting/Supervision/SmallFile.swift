package import ExtensionProtocol
import Glibc

/// A small file of the host's own state: read whole, replaced whole.
package enum SmallFile {
  /// The largest file that is read, in bytes.
  private static let limit = 4 << 20

  /// The bytes, or `nil` when the file cannot be read.
  package static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      guard count > 0 else { return nil }
      bytes.append(contentsOf: chunk[..<count])
    }
    return nil
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
