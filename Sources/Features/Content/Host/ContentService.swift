public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
public import JSONRPC

/// `content/…`: runs persisted queries for extensions through the fetcher that the embedder gives.
public struct ContentService: HostService {
  /// The one method that is served, `content/execute`.
  public typealias Contract = Content
  /// Runs one persisted query: `configuration/query` and its variables in order.
  public typealias Fetch =
    @Sendable (_ query: String, _ variables: JSONObject) async throws -> Content.Execute.Result

  private let fetch: Fetch

  /// Serves content of any server.
  ///
  /// - Parameter fetch: runs one query; what it throws reaches the extension. The path is checked before.
  public init(fetch: @escaping Fetch) { self.fetch = fetch }

  /// Answers `content/execute` with what the fetcher gives.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(Content.Execute.self) { params, _ in
      try Self.check(params.query)
      return try await fetch(params.query, params.variables ?? JSONObject())
    }
  }

  /// Two path segments without anything that could leave them.
  private static func check(_ query: String) throws(ExtensionError) {
    let parts = query.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == 0x2D || byte == 0x5F
        }
    }
    guard parts.count == 2, isPlain else {
      throw ExtensionError(
        .invalidParams, "\"\(query)\" is not the path of a persisted query.",
        recovery: "Write it as configuration/query, for example wknd-shared/adventures-all.")
    }
  }
}
