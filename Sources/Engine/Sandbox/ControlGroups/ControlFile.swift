import Files
import Glibc

/// The files of the kernel's control groups: small texts, each read and written by one call.
enum ControlFile {
  /// The text without its line end; nil when there is no such file or it cannot be read.
  static func read(_ path: String) -> String? {
    guard let bytes = File.prefix(of: path, limit: 4096) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.last == "\n" ? String(text.dropLast()) : text
  }

  /// - Returns: 0, or the error number.
  static func write(_ text: String, to path: String) -> Int32 {
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    while true {
      let written = unsafe Glibc.write(descriptor, bytes, bytes.count)
      if written == bytes.count { return 0 }
      if written < 0, errno == EINTR { continue }
      return written < 0 ? errno : EIO
    }
  }

  /// A number after a word at the start of a line, as in `memory.events`.
  static func number(of word: String, in text: String) -> UInt64? {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      if fields.count == 2, fields[0] == word { return UInt64(fields[1]) }
    }
    return nil
  }
}
