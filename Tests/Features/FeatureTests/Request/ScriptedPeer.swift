import EventLoop
import ExtensionHosting
import HostServices
import JSON
import JSONRPC
import Synchronization

/// A peer in an extension's place that answers as a test says, keeps what the host sends, and calls what it is told.
final class ScriptedPeer: MessageHandler {
  typealias Answer = @Sendable (_ params: JSONValue) async throws -> JSONValue

  struct NotConnected: Error {}

  private let answers: [String: Answer]
  private let link = Kept<Connection>()
  private let heard = Mutex<[(method: String, params: JSONValue)]>([])
  private let news = Signal()

  /// - Parameter answers: by method; what is not here is not served.
  init(_ answers: [String: Answer] = [:]) { self.answers = answers }

  /// The methods of the host's calls and notifications, in order, without the handshake.
  var methods: [String] { heard.withLock { $0.map(\.method) } }

  /// The params of each call of a method, or of each notification.
  func params(of method: String) -> [JSONValue] { heard.withLock { $0.filter { $0.method == method }.map(\.params) } }

  /// Waits for a call or a notification.
  func wait(for method: String) async throws -> JSONValue {
    while true {
      let count = news.count
      if let params = params(of: method).first { return params }
      try await news.wait(past: count)
    }
  }

  /// Calls the host.
  @discardableResult
  func call<Method: RemoteMethod>(_ method: Method) async throws -> Method.Result {
    guard let connection = link.value else { throw NotConnected() }
    do {
      return try await connection.call(
        Method.method, method, returning: Method.Result.self, deadline: .seconds(30))
    } catch {
      throw ExtensionError(error)
    }
  }

  /// The code of the host's refusal; `nil` when it did not refuse.
  func refusal(of method: some RemoteMethod) async throws -> ExtensionError.Code? {
    do {
      try await call(method)
      return nil
    } catch let error as ExtensionError {
      return error.code
    }
  }

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    let method = message.method
    if method == Initialize.method {
      link.keep(connection)
      return MessageWork { Reply.encoding(Initialize.Result(protocolVersion: "1.0")) }
    }
    guard method.contains("/"), !method.hasPrefix("$/") else { return nil }
    let params = try message.params.decode(JSONValue.self)
    heard.withLock { $0.append((method, params)) }
    news.send()
    guard let answer = answers[method] else { return nil }
    return MessageWork { Reply.encoding(try await answer(params)) }
  }
}
