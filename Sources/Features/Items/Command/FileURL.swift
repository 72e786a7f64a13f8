import CommandLineTool
import CommandRuntime
import HTTP
import Text

/// A `file:` URL of this machine (RFC 8089).
struct FileURL {
  /// The URL as the user wrote it.
  let text: String
  /// The absolute path that it names.
  let path: String

  /// - Throws: a usage error for a URL of another machine, or one without an absolute path.
  init(_ text: String) throws {
    self.text = text
    // What follows is neither part of the path nor of use here.
    var rest = Substring(text.utf8.dropFirst("file:".utf8.count)).withoutQuery
    if rest.utf8.starts(with: "//".utf8) {
      let host = Substring(rest.utf8.dropFirst(2).prefix { $0 != UInt8(ascii: "/") })
      guard host.isEmpty || host.lowercased() == "localhost" else {
        throw CommandLineError(
          "“\(text.escapedForTerminal)” is a file of another machine.",
          help: "Write file:///PATH for a file of this one.")
      }
      rest = Substring(rest.utf8.dropFirst(2 + host.utf8.count))
    }
    guard rest.utf8.first == UInt8(ascii: "/"), let path = PercentEncoding.decoded(rest), !path.utf8.contains(0) else {
      throw CommandLineError(
        "“\(text.escapedForTerminal)” names no file.", help: "Write file:///PATH, with %20 for a space.")
    }
    self.path = path
  }
}
