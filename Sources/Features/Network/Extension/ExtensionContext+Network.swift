public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import PropertyList

extension ExtensionContext {
  /// Has the host fetch a URL. The manifest has to name the server under `Annex.Network`, and the user has to agree.
  ///
  /// - Parameters:
  ///   - url: https; http only where the manifest's entry says so, or for this machine.
  ///   - method: `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` or `OPTIONS`.
  ///   - body: sent as it is; see ``fetch(_:)`` for other bodies.
  /// - Returns: whatever the server answers; every status is an answer.
  /// - Throws: `permissionDenied` with the state, `networkFailed` with the kind of the failure.
  public func fetch(
    _ url: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil
  ) async throws(ExtensionError) -> Network.Fetch.Result {
    try await fetch(
      Network.Fetch(
        url: url, method: method, headers: headers.isEmpty ? nil : headers, body: body.map { Network.Body(text: $0) }))
  }

  /// The same with every choice there is: a body from a file, a time limit, an answer in a file.
  public func fetch(_ request: Network.Fetch) async throws(ExtensionError) -> Network.Fetch.Result {
    var request = request
    request.requestID = request.requestID ?? requestID
    // The host's own limit comes first.
    let limit = min(request.timeoutMs ?? Network.Fetch.longestTimeoutMs, Network.Fetch.longestTimeoutMs)
    return try await call(request, deadline: .milliseconds(max(limit, 0)) + .seconds(5))
  }

  /// The bytes of an answer, wherever they are.
  public func bytes(of answer: Network.Fetch.Result) throws(ExtensionError) -> [UInt8] {
    if let text = answer.body.text { return Array(text.utf8) }
    if let text = answer.body.base64 {
      guard let bytes = Base64.decode(text) else {
        throw ExtensionError(.internalError, "The host's answer to network/fetch is not base64.")
      }
      return bytes
    }
    guard let file = answer.body.file, let scratch = host?.directories.scratch else { return [] }
    return try read("\(scratch)/\(file)")
  }
}
