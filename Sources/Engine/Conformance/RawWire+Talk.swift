import ExtensionHosting
import ExtensionProtocol
package import JSON
import JSONRPC

/// Sends and receives messages for checks.
extension RawWire {
  /// A method that no extension serves.
  package static let unknownMethod = "conformance/unknown"

  /// Sends a request.
  package func request(_ id: JSONValue, _ method: String, _ params: JSONValue = .object([:])) {
    send(Self.request(id, method, params))
  }

  /// Sends requests without params, all of them in one piece.
  func requests(_ ids: [JSONValue], _ method: String) { send(ids.map { Self.request($0, method, .object([:])) }) }

  private static func request(_ id: JSONValue, _ method: String, _ params: JSONValue) -> JSONValue {
    .object(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params])
  }

  /// Sends a notification.
  package func notify(_ method: String, _ params: JSONValue = .object([:])) {
    send(.object(["jsonrpc": "2.0", "method": .string(method), "params": params]))
  }

  /// Sends a request and waits for its answer.
  ///
  /// - Throws: ``CheckFailure`` when none comes.
  package func call(
    _ id: JSONValue, _ method: String, _ params: JSONValue = .object([:]), within limit: Duration
  ) async throws -> JSONValue {
    request(id, method, params)
    return try await answer(to: id, of: method, within: limit)
  }

  /// Waits for the answer to a request that was sent.
  package func answer(to id: JSONValue, of method: String, within limit: Duration) async throws -> JSONValue {
    await wait(atMost: limit) { !$0.answers(to: id).isEmpty }
    guard let answer = answers(to: id).first else { throw await silence(after: method, limit) }
    let hasResult = answer["result"] != nil
    let hasError = answer["error"]?["code"]?.integerValue != nil
    guard hasResult != hasError, answer["jsonrpc"] == "2.0" else {
      throw CheckFailure("It answered \(method) with \(shortened(answer)), which is not a response of JSON-RPC 2.0.")
    }
    return answer
  }

  /// Sends `initialize` as a host does and waits for the answer.
  ///
  /// - Parameters:
  ///   - versions: the offered protocol versions; by default those of this host.
  ///   - extra: an additional member that no contract defines.
  func handshake(within limit: Duration, versions: [String]? = nil, extra: JSONValue? = nil) async throws -> JSONValue {
    var greeting = raw.greeting
    if let versions { greeting.protocolVersions = versions }
    var params = try JSONCoding.value(of: greeting).objectValue ?? [:]
    if let extra { params["conformance"] = extra }
    let answer = try await call(0, Initialize.method, .object(params), within: limit)
    if answer["result"] != nil { notify(Initialized.method) }
    return answer
  }

  /// Calls a method that no extension serves. Any answer shows that the extension still works.
  package func mustAnswer(_ id: JSONValue, within limit: Duration, after what: String) async throws {
    request(id, Self.unknownMethod)
    await wait(atMost: limit) { !$0.answers(to: id).isEmpty }
    guard answers(to: id).isEmpty else { return }
    let end = await raw.exit(within: hasEnded ? .seconds(1) : .zero)
    throw CheckFailure(
      end == .unknown ? "After \(what) it answers nothing any more." : "After \(what) it \(end.description).")
  }

  /// Returns the failure for an answer that did not arrive, with what is known about the process.
  func silence(after method: String, _ limit: Duration) async -> CheckFailure {
    let end = await raw.exit(within: hasEnded ? .seconds(1) : .zero)
    var seen =
      end == .unknown
      ? "It did not answer \(method) within \(limit)." : "It \(end.description), before it answered \(method)."
    if let noise { seen += " \(noise)" }
    let other = messages.filter { $0["method"] == nil && $0["id"] != 0 }
    if !other.isEmpty { seen += " It sent \(other.count) answers to other ids, such as \(shortened(other[0]))." }
    return CheckFailure(seen, lines: await raw.standardError)
  }

  nonisolated func shortened(_ value: JSONValue) -> String {
    let text = JSONCoding.text(of: value)
    return text.count > 160 ? "\(text.prefix(160))…" : text
  }
}

extension JSONValue {
  /// The code of an error response.
  var errorCode: Int64? { self["error"]?["code"]?.integerValue }
}
