import CommandLineTool
import CommandRuntime
import HTTP

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
    var rest = text.dropFirst("file:".count).prefix { $0 != "?" && $0 != "#" }
    if rest.hasPrefix("//") {
      let host = rest.dropFirst(2).prefix { $0 != "/" }
      guard host.isEmpty || host.lowercased() == "localhost" else {
        throw CommandLineError(
          "“\(text.escapedForTerminal)” is a file of another machine.",
          help: "Write file:///PATH for a file of this one.")
      }
      rest = rest.dropFirst(2 + host.count)
    }
    guard rest.hasPrefix("/"), let path = PercentEncoding.decoded(rest), !path.utf8.contains(0) else {
      throw CommandLineError(
        "“\(text.escapedForTerminal)” names no file.", help: "Write file:///PATH, with %20 for a space.")
    }
    self.path = path
  }
}
