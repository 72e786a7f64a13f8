import Glibc
import Synchronization

/// What was written, line by line.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

func fileText(_ path: String) throws -> String { try String(contentsOfPath: path) }

func mode(of path: String) -> UInt32 {
  var status = stat()
  return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}

func size(of path: String) -> Int64 {
  var status = stat()
  return stat(path, &status) == 0 ? Int64(status.st_size) : -1
}

extension String {
  struct Unreadable: Error {}

  init(contentsOfPath path: String) throws {
    guard let file = fopen(path, "r") else { throw Unreadable() }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    self = String(decoding: bytes[..<count], as: UTF8.self)
  }
}
