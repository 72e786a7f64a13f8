import EventLoop
import Files
import Glibc
import Text

/// A new file of JSON objects, one on each line, that only the owner may read.
final class DumpFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// The name of a file for something in the database, whose name may hold anything; short enough for a disk, with what is
  /// added.
  static func name(for subject: String) -> String {
    let plain = String(subject.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "_" })
    return plain.prefix(utf8: 200) + ".jsonl"
  }

  /// - Parameter beginning: the path, to which some characters are added.
  init(beginning: String) throws(FileError) {
    let new = try File.create(beginning: beginning)
    path = new.path
    descriptor = new.descriptor
  }

  deinit { close(descriptor) }

  func write(_ lines: [String]) async throws(FileError) {
    let bytes = lines.reduce(into: [UInt8]()) { $0 += Array($1.utf8) + [0x0A] }
    try await blocking { [descriptor] in
      var start = 0
      while start < bytes.count {
        let written = bytes[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if written < 0, errno == EINTR { continue }
        if written < 0 { return SystemError.last }
        start += written
      }
      return nil
    }
  }

  /// Flushes the file to the disk.
  func finish() async throws(FileError) {
    try await blocking { [descriptor, path] in
      if fsync(descriptor) != 0 { return SystemError.last }
      Folder.synchronize(Folder.parent(of: path))
      return nil
    }
  }

  private func blocking(_ work: @escaping @Sendable () -> SystemError?) async throws(FileError) {
    if let error = await SystemThread.run(name: "annex-dump", work) { throw .cannot("write", path, error) }
  }
}
