import CLinux
public import ExtensionProtocol
import Files
import Glibc
import Synchronization

/// Writes a document piece by piece, into a file beside the one whose place it takes at last.
public final class DocumentWriter: Sendable {
  private let path: String
  private let part: String
  private let descriptor: Int32
  private let written = Mutex<Int64>(0)

  init(_ path: String) throws(ExtensionError) {
    self.path = path
    try DocumentFile.makeFolders(above: path)
    part = "\(Folder.parent(of: path))/.\(String(UInt64.random(in: 0...(.max)), radix: 36)).part"
    descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DocumentFile.failure("write", path) }
  }

  /// The number of bytes written so far.
  public var count: Int64 { written.withLock { $0 } }

  /// Adds bytes at the end.
  ///
  /// - Throws: `insufficientQuota` of `NSFileProviderErrorDomain` when the disk is full or the file too large.
  public func append(_ bytes: [UInt8]) throws(ExtensionError) {
    guard clinux_write_all(descriptor, bytes, bytes.count) == 0 else { throw DocumentFile.failure("write", path) }
    written.withLock { $0 += Int64(bytes.count) }
  }

  func finish() throws(ExtensionError) {
    guard rename(part, path) == 0 else { throw DocumentFile.failure("write", path) }
  }

  func discard() { unlink(part) }

  deinit { close(descriptor) }
}
