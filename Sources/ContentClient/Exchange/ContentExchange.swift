package import HTTPClient
internal import JSONRPC

/// One query on its way to the server and back, with its retries.
struct ContentExchange: Sendable {
  let url: String
  private let method: String
  private let body: [UInt8]?
  private let check: AnswerCheck
  private let transport: ContentTransport
  private let clock: ContentClock
  private let limits: ContentClient.Limits
  private let retries: RetryPolicy

  /// Seconds that a server gets while an older answer is good enough.
  private static let hurry = 1.0

  init(client: ContentClient, query: PersistedQuery, method: String) {
    let configuration = client.configuration
    self.method = method
    url = configuration.origin + (method == "GET" ? query.target : query.endpoint)
    body = method == "GET" ? nil : Array(JSONCoding.text(of: ["variables": .object(query.variables)]).utf8)
    check = AnswerCheck(configuration: configuration, query: quotable(query.path), method: method)
    transport = client.transport
    clock = client.clock
    limits = client.limits
    retries = method == "GET" ? client.retries : .never
  }

  /// The answer, whatever its status, after the retries that its status allows.
  ///
  /// - Parameters:
  ///   - entityTag: of the answer that is kept: the server may confirm it by 304.
  ///   - isHurried: one request, and little time.
  /// - Throws: `unreachable`, `timedOut`, `tooLarge`, `cancelled`.
  func response(
    entityTag: String?, policy: ContentClient.Policy, isHurried: Bool = false
  ) async throws(ContentError) -> HTTPResponse {
    let retries = isHurried ? .never : retries
    var left = isHurried ? min(Self.hurry, limits.timeout) : limits.timeout
    var waited = 0.0
    var attempts = 0
    while true {
      attempts += 1
      let started = ContinuousClock.now
      let outcome = await send(entityTag: entityTag, policy: policy, timeout: left)
      left -= (ContinuousClock.now - started) / .seconds(1)
      guard mayRepeat(outcome), left > 0,
        let delay = retries.delay(
          attempts: attempts, retryAfter: retryAfter(outcome), waited: waited, random: clock.random())
      else {
        do throws(HTTPError) { return try outcome.get() } catch {
          throw ContentError(error, configuration: check.configuration)
        }
      }
      do { try await clock.sleep(delay) } catch { throw .cancelled }
      waited += delay
    }
  }

  /// The data of a good answer.
  func result(of response: HTTPResponse) throws(ContentError) -> ContentResult {
    let answer = try check.answer(in: response)
    return ContentResult(
      data: answer.data, errors: answer.errors, httpStatus: response.status, source: .network,
      ageSeconds: response.ageSeconds)
  }

  /// The data of a body that came with status 200.
  func answer(body: [UInt8]) throws(ContentError) -> GraphQLAnswer {
    try GraphQLAnswer(body: body, query: check.query, server: check.configuration.origin, status: 200)
  }

  private func send(
    entityTag: String?, policy: ContentClient.Policy, timeout: Double
  ) async -> Result<HTTPResponse, HTTPError> {
    var request = HTTPRequest(
      method, url, headers: ["Accept": "application/json", "Content-Type": "application/json"], body: body,
      timeout: .seconds(timeout), maximumBodyBytes: limits.maximumBodyBytes, maximumRedirects: 0)
    request.headers["Authorization"] = check.configuration.authentication.headerValue()
    request.headers["If-None-Match"] = entityTag
    // Caches on the way are asked to look at the server too (RFC 9111, 5.2.1.4).
    if policy == .revalidate, method == "GET" { request.headers["Cache-Control"] = "no-cache" }
    do throws(HTTPError) { return .success(try await transport(request)) } catch { return .failure(error) }
  }

  /// Whether the same request may go better a second time.
  private func mayRepeat(_ outcome: Result<HTTPResponse, HTTPError>) -> Bool {
    switch outcome {
    case .success(let response): return response.status == 429 || (500..<600).contains(response.status)
    case .failure(let error):
      switch error.kind {
      // Nobody will start a server on this machine meanwhile.
      case .refused: return !check.configuration.isLoopback
      case .couldNotResolve, .unreachable, .connectionLost: return true
      default: return false
      }
    }
  }

  /// What the server asks to wait, in seconds (RFC 9110, 10.2.3).
  private func retryAfter(_ outcome: Result<HTTPResponse, HTTPError>) -> Int? {
    guard case .success(let response) = outcome, let text = response.headers["Retry-After"] else { return nil }
    if let seconds = Int(text) { return max(0, seconds) }
    return secondsSince1970(ofHTTPDate: text).map { max(0, $0 - clock.now()) }
  }
}

/// Sends one request and gives its answer, whatever the status. It follows no redirect: requests ask for none.
package typealias ContentTransport = @Sendable (_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
