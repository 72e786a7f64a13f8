import TestPrograms

extension ShellCommand {
  /// Where the headers of the system's libraries are that the package links, as `pkg-config` tells.
  static let headerFolders: [String] = {
    let libraries =
      "expat libcrypto libcurl libgif libmicrohttpd libpng16 libpq libturbojpeg libwebp libxml-2.0 sqlite3"
    let flags = (try? output(of: "pkg-config --cflags-only-I \(libraries)"))?.text ?? ""
    return flags.split(whereSeparator: \.isWhitespace).map { String($0.dropFirst("-I".count)) }
  }()
}
