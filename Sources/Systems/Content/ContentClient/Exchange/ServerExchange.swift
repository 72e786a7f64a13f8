internal import EventLoop
package import HTTPClient
import Time

/// One request on its way to the configured server and back, with its retries.
struct ServerExchange: Sendable {
  var url: String
  let method: String
  let body: [UInt8]?
  private let headers: HTTPFields
  let configuration: ContentConfiguration
  private let credentials: Credentials
  private let transport: ContentTransport
  private let clock: WallClock
  private let timeout: Double
  private let maximumBodyBytes: Int
  private let retries: RetryPolicy

  /// The seconds to wait for a server while the cache has an older answer that may be used.
  private static let hurry = 1.0

  init(
    _ method: String, _ url: String, of client: ContentClient, headers: HTTPFields, body: [UInt8]? = nil,
    maximumBodyBytes: Int
  ) {
    self.url = url
    self.method = method
    self.body = body
    self.headers = headers
    self.maximumBodyBytes = maximumBodyBytes
    configuration = client.configuration
    credentials = client.credentials
    transport = client.transport
    clock = client.clock
    timeout = client.limits.timeout
    retries = method == "GET" ? client.retries : .never
  }

  /// The answer, whatever its status, after the retries that its status allows.
  ///
  /// - Parameters:
  ///   - entityTag: of the answer that is kept: the server may confirm it by 304.
  ///   - passesCaches: whether caches on the way are to ask the server too.
  ///   - isHurried: one request, and little time.
  /// - Throws: `unreachable`, `timedOut`, `tooLarge`, `cancelled`, `tokenExchangeFailed`.
  func response(
    entityTag: String?, passesCaches: Bool, isHurried: Bool = false
  ) async throws(ContentError) -> HTTPResponse {
    let retries = isHurried ? .never : retries
    var left = isHurried ? min(Self.hurry, timeout) : timeout
    var waited = 0.0
    var attempts = 0
    var hasRenewed = false
    while true {
      attempts += 1
      let started = ContinuousClock.now
      let authorization = try await credentials.authorization(within: left)
      // Getting a token is a part of the time that the whole may take.
      let spent = (ContinuousClock.now - started) / .seconds(1)
      let timeout = spent < 0.01 ? left : max(left - spent, 0.001)
      let outcome = await send(
        request(authorization, entityTag: entityTag, passesCaches: passesCaches, timeout: timeout))
      left -= (ContinuousClock.now - started) / .seconds(1)
      if case .success(let response) = outcome, response.status == 401, !hasRenewed, left > 0,
        credentials.hasDropped(authorization)
      {
        hasRenewed = true
        attempts -= 1
        continue
      }
      guard mayRepeat(outcome), left > 0,
        let delay = retries.delay(
          attempts: attempts, retryAfter: (try? outcome.get())?.retryAfter(now: Int64(clock.seconds)), waited: waited,
          random: clock.random())
      else {
        do throws(HTTPError) { return try outcome.get() } catch {
          throw ContentError(error, configuration: configuration)
        }
      }
      do { try await clock.sleep(.seconds(delay)) } catch { throw .cancelled }
      waited += delay
    }
  }

  private func request(
    _ authorization: String?, entityTag: String?, passesCaches: Bool, timeout: Double
  ) -> HTTPRequest {
    var request = HTTPRequest(
      method, url, headers: headers, body: body, timeout: .seconds(timeout), maximumBodyBytes: maximumBodyBytes,
      maximumRedirects: 0)
    request.headers["Authorization"] = authorization
    request.headers["If-None-Match"] = entityTag
    // Caches on the way are asked to look at the server too (RFC 9111, 5.2.1.4).
    if passesCaches, method == "GET" { request.headers["Cache-Control"] = "no-cache" }
    return request
  }

  private func send(_ request: HTTPRequest) async -> Result<HTTPResponse, HTTPError> {
    do throws(HTTPError) { return .success(try await transport(request)) } catch { return .failure(error) }
  }

  /// Whether the same request may go better a second time.
  private func mayRepeat(_ outcome: Result<HTTPResponse, HTTPError>) -> Bool {
    switch outcome {
    case .success(let response): return response.status == 429 || (500..<600).contains(response.status)
    case .failure(let error):
      switch error.kind {
      // A refused connection on this machine is not retried: no server will start there within the pause.
      case .refused: return !configuration.isLoopback
      case .couldNotResolve, .unreachable, .connectionLost: return true
      default: return false
      }
    }
  }
}

/// Sends one request and gives its answer, whatever the status. It follows no redirect: requests ask for none.
package typealias ContentTransport = @Sendable (_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse

/// The number of requests for a GET, and the pauses between them.
struct RetryPolicy: Equatable, Sendable {
  /// The number of requests, the first included.
  var maximumAttempts = 3
  /// The wait before the second request, without jitter; it doubles with each further one.
  var firstDelay = 0.25
  /// The longest sum of waits, in seconds. A server that asks for more is not waited for.
  var maximumWait = 10.0

  /// A policy without a second request.
  static let never = RetryPolicy(maximumAttempts: 1)

  /// The wait before the next request, in seconds; nil to give up.
  ///
  /// - Parameters:
  ///   - attempts: requests sent so far, from 1.
  ///   - retryAfter: what the server asks for, in seconds: never less is waited.
  ///   - waited: the sum of the waits so far, in seconds.
  ///   - random: from 0 to 1, spreads clients that failed together.
  func delay(attempts: Int, retryAfter: Int?, waited: Double, random: Double) -> Double? {
    guard attempts < maximumAttempts else { return nil }
    let own = BackOff(first: firstDelay, least: 0.5, chance: 0.5).seconds(after: attempts, random: random)
    let delay = max(own, Double(retryAfter ?? 0))
    return waited + delay <= maximumWait ? delay : nil
  }
}
