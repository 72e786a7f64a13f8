import Glibc
import Testing

/// A command that a check runs in a shell.
enum ShellCommand {
  /// Runs a command to its end.
  ///
  /// - Returns: what it wrote to standard output, and its exit status as `wait` gives it; 0 is success.
  static func output(of command: String) throws -> (text: String, status: Int32) {
    let stream = try #require(popen(command, "r"))
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&buffer, 1, buffer.count, stream)
      if count == 0 { break }
      text += buffer[..<count]
    }
    return (String(decoding: text, as: UTF8.self), pclose(stream))
  }
}
