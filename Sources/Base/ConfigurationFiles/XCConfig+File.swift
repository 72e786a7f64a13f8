internal import Files
internal import Glibc

extension XCConfig {
  /// Reads a file of this machine and those it includes. A file may have up to 1 MiB.
  package init(contentsOf path: String) throws(ConfigurationError) {
    try self.init(path: path) { try readText($0) }
  }
}

/// Why a file that exists cannot be read, in the words of the system.
private struct UnreadableFile: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
  init(errno code: Int32) { description = SystemError(code).description }
}

/// The text of a regular file; nil when there is none.
private func readText(_ path: String) throws(UnreadableFile) -> String? {
  guard !path.utf8.contains(0) else { throw UnreadableFile("the path holds a NUL") }
  // Without O_NONBLOCK a named pipe would be waited for.
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else {
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw UnreadableFile(errno: errno)
  }
  defer { close(descriptor) }
  var status = stat()
  guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    throw UnreadableFile("it is not a regular file")
  }
  let limit = 1 << 20
  var bytes: [UInt8] = []
  while bytes.count <= limit {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw UnreadableFile(errno: errno) }
    if count == 0 { break }
    bytes += chunk[..<count]
  }
  guard bytes.count <= limit else { throw UnreadableFile("it is larger than \(limit) bytes") }
  guard let text = String(validating: bytes, as: UTF8.self) else { throw UnreadableFile("it is not UTF-8") }
  return text
}
