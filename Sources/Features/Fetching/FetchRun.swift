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
  /// - Parameter authorization: a field for the origin of the plan, and for no other.
  ///
  /// - Throws: `networkFailed`, `limitExceeded`, `invalidParams`, `cancelled`.
  package func attempt(authorization: String? = nil) async throws(ExtensionError) -> Received {
    var request = plan.request
    if let authorization { request.headers["Authorization"] = authorization }
    for _ in 0...FetchPlan.maximumRedirects {
      request.timeout = max(end - ContinuousClock.now, .milliseconds(1))
      let received = try await exchange(request, looks: authorization != nil)
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
    var request = request
    request.takeBody = { piece in
      if looks { evidence.add(piece, limit: Self.evidenceLimit) }
      return file.append(piece)
    }
    file.reset()
    let response = try await client.send(request)
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

  // MARK: The answer

  /// Returns the answer for the caller.
  ///
  /// - Throws: `storeFailed`, `limitExceeded` when the file cannot be finished or no stream can be opened.
  package func answer(_ received: Received) throws(ExtensionError) -> Answer<Network.Fetch.Result> {
    let response = received.response
    if let body = received.stream {
      let stream = try caller.openStream()
      return Answer(Self.result(response, Network.Body(stream: stream.id), bytes: nil)).filling(stream) {
        [caller, holds] in
        defer { withExtendedLifetime(holds) {} }
        try await Self.pass(received.ahead, body, on: stream, to: caller)
      }
    }
    if let file {
      do throws(ExtensionError) { try file.finish() } catch { throw file.failure ?? error }
      return Answer(Self.result(response, Network.Body(file: file.name), bytes: file.count))
    }
    return Answer(Self.result(response, Self.body(of: response.body), bytes: response.body.count))
  }

  /// There is no answer: nothing is left behind.
  package func discard() { file?.discard() }

  /// Passes a body on as fast as the extension reads it.
  private static func pass(
    _ ahead: [[UInt8]], _ body: HTTPStream, on stream: OutgoingStream, to caller: Caller
  ) async throws {
    do {
      for piece in ahead { try await stream.send(piece) }
      while let piece = try await body.next() {
        try await stream.send(piece)
        // A caller that reads is at work.
        caller.process.showsLife()
      }
    } catch let error as HTTPError {
      throw ExtensionError(error)
    }
  }

  private static func result(_ response: HTTPResponse, _ body: Network.Body, bytes: Int?) -> Network.Fetch.Result {
    var headers: [String: String] = [:]
    for field in response.headers.all {
      let name = field.name.lowercased()
      // Cookies are dropped, so that a server cannot connect the requests of two extensions.
      if name == "set-cookie" { continue }
      headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
    }
    return Network.Fetch.Result(
      status: response.status, headers: headers, finalURL: response.url, body: body, bytes: bytes)
  }

  private static func body(of bytes: [UInt8]) -> Network.Body {
    if let text = String(validating: bytes, as: UTF8.self) { return Network.Body(text: text) }
    return Network.Body(base64: Base64.encode(bytes))
  }
}
