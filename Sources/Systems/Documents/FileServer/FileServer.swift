package import HTTPServer
import JSON

/// A server for the files of a folder: the smallest form of a service that stores documents.
///
/// `GET /a/b` returns a file, with `Range: bytes=0-99` a part of it; `GET /a?list` and `GET /a/b?stat` return JSON;
/// `PUT /a/b` writes a file into an existing folder, `DELETE /a/b` removes it.
package struct FileServer: StandInServer {
  /// The settings of a file server.
  package struct Configuration: Sendable {
    /// 0 takes any free port.
    package var port: Int
    /// The folder, an absolute or relative path.
    package var root: String
    /// The bearer token that requests have to carry in `Authorization`; nil for none.
    package var token: String?
    /// Receives one line for each answered request; nil for none.
    package var requestLog: (@Sendable (_ line: String) -> Void)?

    /// Creates a configuration from a port, a folder and a bearer token.
    package init(port: Int = 0, root: String, token: String? = nil) {
      self.port = port
      self.root = root
      self.token = token
    }
  }

  /// The most entries of one page of a list.
  static let page = 100

  private let configuration: Configuration
  private let tree: FileTree

  /// - Throws: `FileTree.Failure` when the folder cannot be opened.
  package init(configuration: Configuration) throws {
    self.configuration = configuration
    tree = try FileTree(configuration.root)
  }

  /// Serves while `body` runs.
  ///
  /// - Throws: `HTTPServerError` when the port is taken, or what `body` throws.
  package func withRunning<Value>(_ body: (ServerAddress) async throws -> Value) async throws -> Value {
    var server = HTTPServer.Configuration(port: configuration.port)
    server.maximumBodyBytes = FileTree.limit
    server.requestLog = configuration.requestLog
    return try await HTTPServer(configuration: server) { answer(to: $0) }.withRunning(body)
  }

  func answer(to request: ServerRequest) -> ServerResponse {
    if let token = configuration.token, request.header("Authorization") != "Bearer \(token)" {
      return ServerResponse(status: 401, text: "Sign in.\n")
    }
    guard let path = FileTree.path(decoding: request.path) else {
      return ServerResponse(status: 400, text: "That is not a path.\n")
    }
    do throws(FileTree.Failure) {
      switch (request.method, request.query ?? "") {
      case ("GET", "stat"): return json(try tree.entry(path))
      case ("GET", let query) where query == "list" || query.hasPrefix("list&after="):
        return try list(path, after: Int(query.dropFirst("list&after=".count)) ?? 0)
      case ("GET", ""): return try content(path, range: request.header("Range"))
      case ("HEAD", ""): return try content(path, range: nil)
      case ("PUT", ""):
        try tree.write(request.body, to: path)
        return ServerResponse(status: 204)
      case ("DELETE", ""):
        try tree.remove(path)
        return ServerResponse(status: 204)
      case ("GET", _), ("HEAD", _), ("PUT", _), ("DELETE", _):
        return ServerResponse(status: 400, text: "Ask without a query, or with GET and ?list or ?stat.\n")
      default:
        var answer = ServerResponse(status: 405, text: "Ask with GET, HEAD, PUT or DELETE.\n")
        answer.headers.append(ServerField("Allow", "GET, HEAD, PUT, DELETE"))
        return answer
      }
    } catch {
      return ServerResponse(status: error.status, text: "\(error.message)\n")
    }
  }

  private func list(_ path: String, after start: Int) throws(FileTree.Failure) -> ServerResponse {
    let all = try tree.entries(path)
    let page = all.dropFirst(max(0, start)).prefix(Self.page)
    var object: JSONObject = ["entries": .array(page.map(Self.value))]
    let end = max(0, start) + page.count
    if end < all.count { object["next"] = .integer(Int64(end)) }
    return ServerResponse(text: JSONValue.object(object).description, contentType: "application/json")
  }

  private func json(_ entry: FileTree.Entry) -> ServerResponse {
    ServerResponse(text: Self.value(entry).description, contentType: "application/json")
  }

  private static func value(_ entry: FileTree.Entry) -> JSONValue {
    ["name": .string(entry.name), "folder": .bool(entry.isFolder), "size": .integer(entry.size)]
  }

  /// A file, or the part of it that was asked for (RFC 9110, 14).
  private func content(_ path: String, range: String?) throws(FileTree.Failure) -> ServerResponse {
    guard let range, range.hasPrefix("bytes=") else { return ServerResponse(body: try tree.read(path, nil).bytes) }
    let bounds = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
    guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first >= 0, last >= first else {
      return ServerResponse(status: 416, text: "Ask for bytes=FIRST-LAST.\n")
    }
    let (bytes, size) = try tree.read(path, first...last)
    guard !bytes.isEmpty else {
      return ServerResponse(status: 416, headers: [ServerField("Content-Range", "bytes */\(size)")])
    }
    let end = first + Int64(bytes.count) - 1
    return ServerResponse(
      status: 206, headers: [ServerField("Content-Range", "bytes \(first)-\(end)/\(size)")], body: bytes)
  }
}
