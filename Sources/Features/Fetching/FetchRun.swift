package import Contracts
package import ExtensionHosting
package import ExtensionProtocol
package import HTTPClient
import Synchronization
import Text

/// One fetch of a caller: sends the planned request, repeats it if necessary, and answers with the last result.
package struct FetchRun: Sendable {
  private let client: HTTPClient
  private let plan: FetchPlan
  private let caller: Caller
  /// Objects that are kept until the body has arrived.
  private let holds: [any Sendable]
  /// The file of a body that is delivered as a file.
  private let file: ScratchFile?
  /// The tokens that were sent: an answer may repeat an earlier one too.
  private let tokens = Tokens()
  /// The time limit of the whole fetch.
  private let end: ContinuousClock.Instant

  /// Bytes of a body that are looked at.
  private static let evidenceLimit = 1 << 16

  /// - Parameters:
  ///   - client: sends the requests.
  ///   - caller: receives the answer, and a body that is delivered as a file.
  ///   - holds: objects that are kept until the body has arrived.
  /// - Throws: `limitExceeded`, `storeFailed` when no file can be created for the body.
  package init(_ plan: FetchPlan, client: HTTPClient, for caller: Caller, holds: [any Sendable]) throws(ExtensionError)
  {
    (self.client, self.plan, self.caller, self.holds) = (client, plan, caller, holds)
    file = plan.delivery == .file ? try caller.newFile(name: "fetched") : nil
    end = ContinuousClock.now + (plan.request.timeout ?? .zero)
  }

  /// The result of one attempt.
  package struct Received: Sendable {
    /// The status and the header fields.
    package let response: HTTPResponse
    /// The beginning of the body, for a caller that must know why a server refuses.
    package var evidence: [UInt8] = []
    /// The stream of a body that has not arrived yet.
    var stream: HTTPStream?
    /// The parts of the body that were already read.
    var ahead: [[UInt8]] = []
  }

  /// Sends the request, and what its redirects ask for.
  ///
  /// - Parameter token: a bearer token for the origin of the plan, and for no other. It is taken out of the answer.
  ///
  /// - Throws: `networkFailed`, `limitExceeded`, `invalidParams`, `cancelled`.
  package func attempt(token: String? = nil) async throws(ExtensionError) -> Received {
    var request = plan.request
    if let token {
      tokens.add(token)
      request.headers["Authorization"] = "Bearer \(token)"
    }
    for _ in 0...FetchPlan.maximumRedirects {
      request.timeout = max(end - ContinuousClock.now, .milliseconds(1))
      let received = try await exchange(request, looks: token != nil)
      guard let next = try FetchPlan.next(after: received.response, to: request, rules: plan.rules) else {
        return received
      }
      request = next
    }
    throw .network("redirect", "The server redirects more than \(FetchPlan.maximumRedirects) times.")
  }

  private func exchange(_ request: HTTPRequest, looks: Bool) async throws(ExtensionError) -> Received {
    do throws(HTTPError) {
      switch plan.delivery {
      case .inline:
        let response = try await client.send(request)
        return Received(response: response, evidence: looks ? response.body : [])
      case .file: return try await download(request, looks: looks)
      case .stream:
        let stream = try await client.stream(request)
        var received = Received(response: stream.response, stream: stream)
        guard looks, [400, 401, 403].contains(stream.response.status) else { return received }
        while received.evidence.count <= Self.evidenceLimit, let piece = try await stream.next() {
          received.ahead.append(piece)
          received.evidence += piece
        }
        return received
      }
    } catch {
      throw file?.failure ?? ExtensionError(error)
    }
  }

  private func download(_ request: HTTPRequest, looks: Bool) async throws(HTTPError) -> Received {
    guard let file else { return Received(response: try await client.send(request)) }
    let evidence = Evidence()
    let filter = Mutex(tokens.filter)
    var request = request
    request.takeBody = { piece in
      if looks { evidence.add(piece, limit: Self.evidenceLimit) }
      return file.append(filter.withLock { $0.pass(piece) })
    }
    file.reset()
    let response = try await client.send(request)
    let held = filter.withLock { $0.end() }
    if !held.isEmpty { _ = file.append(held) }
    return Received(response: response, evidence: evidence.bytes)
  }

  /// The beginning of a body, which the client's thread brings.
  private final class Evidence: Sendable {
    private let kept = Mutex<[UInt8]>([])
    var bytes: [UInt8] { kept.withLock { $0 } }
    func add(_ piece: [UInt8], limit: Int) {
      kept.withLock { if $0.count <= limit { $0 += piece } }
    }
  }

  /// The tokens of a run, from the first attempt to the last.
  private final class Tokens: Sendable {
    private let kept = Mutex<[String]>([])
    func add(_ token: String) { kept.withLock { $0.append(token) } }
    var filter: SecretFilter { SecretFilter(kept.withLock { $0 }) }
  }

  // MARK: The answer

  /// Returns the answer for the caller.
  ///
  /// - Throws: `storeFailed`, `limitExceeded` when the file cannot be finished or no stream can be opened.
  package func answer(_ received: Received) throws(ExtensionError) -> Answer<Network.Fetch.Result> {
    let response = received.response
    let filter = tokens.filter
    if let body = received.stream {
      let stream = try caller.openStream()
      return Answer(Self.result(response, filter, Network.Body(stream: stream.id), bytes: nil)).filling(stream) {
        [caller, holds] in
        defer { withExtendedLifetime(holds) {} }
        try await Self.pass(received.ahead, body, filter, on: stream, to: caller)
      }
    }
    if let file {
      do throws(ExtensionError) { try file.finish() } catch { throw file.failure ?? error }
      return Answer(Self.result(response, filter, Network.Body(file: file.name), bytes: file.count))
    }
    let body = filter.cleaned(response.body)
    return Answer(Self.result(response, filter, Self.body(of: body), bytes: body.count))
  }

  /// There is no answer: nothing is left behind.
  package func discard() { file?.discard() }

  /// Passes a body on as fast as the extension reads it.
  private static func pass(
    _ ahead: [[UInt8]], _ body: HTTPStream, _ filter: SecretFilter, on stream: OutgoingStream, to caller: Caller
  ) async throws {
    var filter = filter
    do {
      for piece in ahead { try await Self.send(filter.pass(piece), on: stream) }
      while let piece = try await body.next() {
        try await Self.send(filter.pass(piece), on: stream)
        // A caller that reads is at work.
        caller.process.showsLife()
      }
      try await Self.send(filter.end(), on: stream)
    } catch let error as HTTPError {
      throw ExtensionError(error)
    }
  }

  private static func send(_ bytes: [UInt8], on stream: OutgoingStream) async throws {
    if !bytes.isEmpty { try await stream.send(bytes) }
  }

  private static func result(
    _ response: HTTPResponse, _ filter: SecretFilter, _ body: Network.Body, bytes: Int?
  ) -> Network.Fetch.Result {
    var headers: [String: String] = [:]
    for field in response.headers.all {
      let name = field.name.lowercased()
      // Cookies are dropped, so that a server cannot connect the requests of two extensions.
      if name == "set-cookie" { continue }
      let value = filter.cleaned(field.value)
      headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }
    return Network.Fetch.Result(
      status: response.status, headers: headers, finalURL: filter.cleaned(response.url), body: body, bytes: bytes)
  }

  private static func body(of bytes: [UInt8]) -> Network.Body {
    if let text = String(validating: bytes, as: UTF8.self) { return Network.Body(text: text) }
    return Network.Body(base64: Base64.encode(bytes))
  }
}
