import Files
package import HTTPServer
import Text

/// Serves the folder of an index at a port of this machine: what any web server does with it, with ranges.
package struct IndexServer: StandInServer {
  /// The settings of a server.
  package struct Configuration: Sendable {
    /// 0 takes any free port.
    package var port: Int
    /// The folder that `host publish` wrote.
    package var root: String
    /// Receives one line for each answered request; `nil` for none.
    package var requestLog: (@Sendable (_ line: String) -> Void)?
    /// Answers in place of the server: for tests of clients.
    package var fault: @Sendable (ServerRequest) -> ServerResponse? = { _ in nil }

    /// Creates a configuration from a port and a folder.
    package init(port: Int = 0, root: String) { (self.port, self.root) = (port, root) }
  }

  /// The most bytes of one answer: more is fetched in ranges, or from a web server that is made for it.
  private static let limit: Int64 = 512 << 20

  private let configuration: Configuration

  /// Creates a server; it does not listen yet.
  package init(configuration: Configuration) { self.configuration = configuration }

  /// Serves while `body` runs.
  ///
  /// - Throws: `HTTPServerError` when the port is taken, or what `body` throws.
  package func withRunning<Value>(_ body: (ServerAddress) async throws -> Value) async throws -> Value {
    var server = HTTPServer.Configuration(port: configuration.port)
    server.maximumBodyBytes = 0
    server.requestLog = configuration.requestLog
    return try await HTTPServer(configuration: server) { answer(to: $0) }.withRunning(body)
  }

  func answer(to request: ServerRequest) -> ServerResponse {
    if let answer = configuration.fault(request) { return answer }
    guard request.method == "GET" || request.method == "HEAD" else {
      return ServerResponse(status: 405, headers: [ServerField("Allow", "GET, HEAD")])
    }
    // Names in an index need no decoding beyond this: its files are named by digits, letters, hyphens and dots.
    let components = request.path.dropFirst().pathParts(keepsEmpty: true)
    guard let first = components.first, first == "metadata" || first == "files", components.count <= 3,
      components.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("%") })
    else { return ServerResponse(status: 404, text: "An index has the folders metadata and files.\n") }
    let path = "\(configuration.root)/\(components.joined(separator: "/"))"
    guard let status = FileStatus(path), status.kind == .regular else {
      return ServerResponse(status: 404, text: "There is no such file.\n")
    }
    let size = status.size
    let range = request.header("Range").flatMap { Self.range($0, size) }
    let (begin, end) = range ?? (0, size)
    guard begin < end || range == nil else {
      return ServerResponse(status: 416, headers: [ServerField("Content-Range", "bytes */\(size)")])
    }
    guard end - begin <= Self.limit else { return ServerResponse(status: 413, text: "Ask for a range.\n") }
    guard let bytes = size == 0 ? [] : File.prefix(of: path, limit: Int(max(end - begin, 1)), from: Int(begin)) else {
      return ServerResponse(status: 404, text: "The file cannot be read.\n")
    }
    var fields = [
      ServerField("Content-Type", "application/octet-stream"),
      // A name that has its version or digest in it never changes; the others are asked for anew.
      ServerField(
        "Cache-Control", first == "files" ? "public, max-age=31536000, immutable" : "no-cache"),
    ]
    if range != nil { fields.append(ServerField("Content-Range", "bytes \(begin)-\(end - 1)/\(size)")) }
    return ServerResponse(status: range == nil ? 200 : 206, headers: fields, body: bytes)
  }

  /// “bytes=FIRST-” and “bytes=FIRST-LAST” (RFC 9110, 14.1.2); `nil` for all others, which get the whole file.
  private static func range(_ text: String, _ size: Int64) -> (Int64, Int64)? {
    guard text.hasPrefix("bytes=") else { return nil }
    let bounds = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, let first = Int64(bounds[0]), first >= 0 else { return nil }
    if bounds[1].isEmpty { return (first, size) }
    guard let last = Int64(bounds[1]), last >= first, last < .max else { return nil }
    return (first, min(last + 1, size))
  }
}
