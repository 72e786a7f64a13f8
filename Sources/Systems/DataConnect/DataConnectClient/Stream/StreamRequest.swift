internal import ConfigurationFiles
internal import JSON

/// A frame to the server.
struct StreamRequest: Sendable, Equatable {
  /// The action that the request asks for.
  enum Action: Sendable, Equatable {
    case subscribe(DataOperation, etag: String?)
    case execute(DataOperation)
    /// The answer to a subscription once more.
    case resume
    /// An end of the subscription.
    case cancel
    /// Nothing: a new token alone.
    case token
  }

  /// `nil` for a token.
  var id: String?
  var action: Action
  /// Set in the first frame of a connection, and where the token is another.
  var token: Secret?
  /// Whether the frame is the first, which names the connector.
  var isFirst = false

  /// The text on the wire.
  func text(connector: String, clientName: String) -> String {
    var object = JSONObject()
    object["requestId"] = id.map { .string($0) }
    if isFirst { object["name"] = .string(connector) }
    var headers = JSONObject()
    if isFirst { headers["X-Goog-Api-Client"] = .string(clientName) }
    headers["X-Firebase-Auth-Token"] = token.map { .string($0.revealed()) }
    if !headers.isEmpty { object["headers"] = .object(headers) }
    switch action {
    case .subscribe(let operation, let etag):
      object["dataEtag"] = etag.map { .string($0) }
      object["subscribe"] = Self.body(operation)
    case .execute(let operation): object["execute"] = Self.body(operation)
    case .resume: object["resume"] = [:]
    case .cancel: object["cancel"] = [:]
    case .token: break
    }
    return JSONCoding.text(of: .object(object))
  }

  private static func body(_ operation: DataOperation) -> JSONValue {
    ["operationName": .string(operation.name), "variables": .object(operation.variables)]
  }
}
