import Files
import Glibc

/// A command that a test runs in a shell.
package enum ShellCommand {
  /// Runs a command to its end.
  ///
  /// - Returns: what it wrote to standard output, and its exit status as `wait` gives it; 0 is success.
  package static func output(of command: String) throws -> (text: String, status: Int32) {
    guard let stream = popen(command, "r") else { throw SystemError.last }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { text += buffer[..<count] }
    return (String(decoding: text, as: UTF8.self), pclose(stream))
  }
}
