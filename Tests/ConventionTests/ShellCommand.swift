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

  /// Where the headers of the system's libraries are that the package links, as `pkg-config` tells.
  static let headerFolders: [String] = {
    let libraries = "libcrypto libcurl libmicrohttpd libpng16 libturbojpeg libxml-2.0 sqlite3"
    let flags = (try? output(of: "pkg-config --cflags-only-I \(libraries)"))?.text ?? ""
    return flags.split(whereSeparator: \.isWhitespace).map { String($0.dropFirst("-I".count)) }
  }()
}
