import Text
public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import PropertyList

extension ExtensionContext {
  /// Has the host fetch a URL. The manifest must name the server under `Annex.Network`, and the user must agree.
  ///
  /// A fetch for a request ends with the request. Announce work that continues afterwards (``afterCompletion(_:)``,
  /// ``performExpiringActivity(reason:_:)``).
  ///
  /// - Parameters:
  ///   - url: an https URL; http only if the manifest's entry permits it, or for this machine.
  ///   - method: `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` or `OPTIONS`.
  ///   - headers: the header fields, by name. The host sets those of the connection itself.
  ///   - body: the body, sent unchanged; see ``fetch(_:)`` for other bodies.
  /// - Returns: the server's answer, whatever its status.
  /// - Throws: `permissionDenied` with the state, `networkFailed` with the kind of the failure.
  public func fetch(
    _ url: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil
  ) async throws(ExtensionError) -> Network.Fetch.Result {
    try await fetch(
      Network.Fetch(
        url: url, method: method, headers: headers.isEmpty ? nil : headers, body: body.map { Network.Body(text: $0) }))
  }

  /// The same with every choice there is: a body from a file, a time limit, an answer in a file.
  ///
  /// - Throws: as ``fetch(_:method:headers:body:)``; `limitExceeded` for a body that is too large, `invalidParams` for
  ///   fields and methods that are not sent.
  public func fetch(_ request: Network.Fetch) async throws(ExtensionError) -> Network.Fetch.Result {
    var request = request
    request.requestID = request.requestID ?? (requestID.isEmpty ? nil : requestID)
    // The host's own limit comes first.
    let limit = min(request.timeoutMs ?? Network.Fetch.longestTimeoutMs, Network.Fetch.longestTimeoutMs)
    return try await call(request, deadline: .milliseconds(max(limit, 0)) + .seconds(5))
  }

  /// The same, with a body that is read while it arrives:
  ///
  /// ```swift
  /// let answer = try await context.fetchBytes("https://example.com/large")
  /// for try await bytes in answer { parser.add(bytes) }
  /// ```
  ///
  /// Nothing is kept but what waits to be read; to stop reading ends the request.
  ///
  /// - Returns: whatever the server answers, as soon as its header is there.
  /// - Throws: as ``fetch(_:method:headers:body:)``.
  public func fetchBytes(
    _ url: String, headers: [String: String] = [:], maxBytes: Int? = nil
  ) async throws(ExtensionError) -> FetchedBytes {
    try await fetchBytes(Network.Fetch(url: url, headers: headers.isEmpty ? nil : headers, maxBytes: maxBytes))
  }

  /// The same with every choice there is but the delivery, which is a stream.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func fetchBytes(_ request: Network.Fetch) async throws(ExtensionError) -> FetchedBytes {
    var request = request
    request.delivery = .stream
    let answer = try await fetch(request)
    guard let id = answer.body.stream else {
      throw ExtensionError(.protocolViolation, "The host's answer to network/fetch names no stream.")
    }
    return FetchedBytes(answer, try stream(id))
  }

  /// The bytes of an answer, wherever they are; those of a stream are read with ``fetchBytes(_:)``.
  ///
  /// - Throws: `invalidParams` for a stream; `handlerFailed` when the file cannot be read.
  public func bytes(of answer: Network.Fetch.Result) throws(ExtensionError) -> [UInt8] {
    if answer.body.stream != nil {
      throw ExtensionError(
        .invalidParams, "The body of this answer is still to come.",
        recovery: "Ask for it with fetchBytes, and read it.")
    }
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
