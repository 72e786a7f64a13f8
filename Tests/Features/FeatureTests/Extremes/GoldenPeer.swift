import ExtensionHosting
import HostServices
import JSON
import JSONRPC
import Synchronization

/// A peer that answers each call of the host as its golden line does, and calls the host as golden lines do, but for what a
/// test puts in their place.
struct GoldenPeer: MessageHandler {
  /// A call of the host's methods.
  struct Call: Sendable {
    var method: String
    var params: JSONValue
  }

  /// Results of a method, each for one call, and the last one for every call after it.
  final class Results: Sendable {
    private let state: Mutex<(left: ArraySlice<JSONValue>, last: JSONValue?)>

    init(_ results: [JSONValue]) { state = Mutex((results[...], results.last)) }

    /// How many no call has had yet.
    var count: Int { state.withLock { $0.left.count } }

    func next() -> JSONValue? { state.withLock { $0.left.popFirst() ?? $0.last } }
  }

  /// In the place of golden results, by method.
  var results: [String: Results] = [:]
  /// What it calls before it answers a method, for the request or the session of that call.
  var calls: [String: [Call]] = [:]

  private static let golden: [String: JSONValue] = Dictionary(
    Golden.all.compactMap { golden in (try? golden.line()["result"]).map { (golden.method, $0) } },
    uniquingKeysWith: { first, _ in first })

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    let method = message.method
    guard message.id != nil else { return nil }
    guard let result = results[method]?.next() ?? Self.golden[method] else {
      throw ExtensionError(.methodNotFound, "There is no golden line of \(method).").errorObject
    }
    let params = try message.params.decode(JSONValue.self)
    let calls = calls[method] ?? []
    let callBack: @Sendable () async -> Void = {
      for call in calls { _ = await connection.refusal(call.method, Self.params(call.params, in: params)) }
    }
    // Who is asked to choose grants access once it has answered.
    if method == "picker/select" { return MessageWork { Reply.encoding(result).afterwards(callBack) } }
    return MessageWork {
      await callBack()
      return Reply.encoding(result)
    }
  }

  /// Params for the request or the session that the host's call is about.
  private static func params(_ params: JSONValue, in call: JSONValue) -> JSONValue {
    guard case .object(var object) = params else { return params }
    for name in ["requestID", "sessionID"] where object[name]?.stringValue != nil {
      if let id = call[name] { object[name] = id }
    }
    return .object(object)
  }
}
