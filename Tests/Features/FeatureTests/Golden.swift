import JSONRPC
import ExtensionHosting
import HostServices
import JSON
import Testing

/// What one method looks like on the wire: an object with the method, the params and the result.
struct Golden: Sendable, CustomTestStringConvertible {
  let method: String
  /// What the types encode.
  let line: @Sendable () throws -> JSONValue
  /// What the types encode again after they decoded a line.
  let again: @Sendable (JSONValue) throws -> JSONValue
  /// Calls the method with the params of the line; `nil` for a notification.
  let call: (@Sendable (ExtensionProcess) async throws -> Void)?
  var testDescription: String { method }

  /// A request.
  init<Method: RemoteMethod>(_ params: Method, _ result: Method.Result) {
    method = Method.method
    line = { try Self.line(params, result) }
    again = { line in
      try Self.line(
        JSONCoding.decode(Method.self, from: #require(line["params"])),
        JSONCoding.decode(Method.Result.self, from: #require(line["result"])))
    }
    call = { process in _ = try await process.call(params, deadline: .seconds(10)) }
  }

  /// A notification.
  init<Notification: RemoteNotification>(_ params: Notification) {
    method = Notification.method
    line = { try Self.line(method: Notification.method, params) }
    again = { line in
      try Self.line(
        method: Notification.method, JSONCoding.decode(Notification.self, from: #require(line["params"])))
    }
    call = nil
  }

  private static func line<Method: RemoteMethod>(_ params: Method, _ result: Method.Result) throws -> JSONValue {
    [
      "method": .string(Method.method), "params": try JSONCoding.value(of: params),
      "result": try JSONCoding.value(of: result),
    ]
  }

  private static func line(method: String, _ params: some Encodable) throws -> JSONValue {
    ["method": .string(method), "params": try JSONCoding.value(of: params)]
  }
}
