internal import CCurl
internal import EventLoop
internal import Synchronization

/// Sends HTTP requests with libcurl, all of one client on one thread, and keeps connections open for the next request.
///
/// Nothing is started before the first request. The thread and the connections end with the client.
package final class HTTPClient: Sendable {
  /// What holds for every request of a client.
  package struct Configuration: Sendable {
    /// The time for the connection to be made, TLS included.
    package var connectTimeout: Duration = .seconds(15)
    /// The time for the whole exchange; nil waits without end.
    package var timeout: Duration? = .seconds(15)
    /// The most bytes of a response body, after decompression.
    package var maximumBodyBytes = 64 << 20
    /// Sent as `User-Agent` unless the request has its own.
    package var userAgent = "annex"
    /// A file of certificates to trust, in PEM, instead of those of the system.
    package var certificateFile: String?
    /// Whether `http_proxy` and its relatives count. Never for this machine itself.
    package var usesProxyOfEnvironment = true

    /// Creates the default configuration.
    package init() {}
  }

  /// The configuration that the client was created with.
  package let configuration: Configuration
  let engine: TransferEngine
  let sockets = Mutex<LoopThread?>(nil)

  /// Creates a client. It starts no thread and opens no connection before the first request.
  package init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
    engine = TransferEngine()
  }

  deinit {
    engine.stop()
  }

  /// Sends a request and waits for the whole response. Cancelling the task ends the exchange at once.
  ///
  /// Redirects are followed only for requests without credentials, so that these never reach another origin.
  ///
  /// - Returns: the response, whatever its status.
  /// - Throws: `HTTPError` when there is no response.
  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try request.validate()
    let timeout = request.timeout ?? configuration.timeout
    let deadline = timeout.map { ContinuousClock.now + $0 }
    var request = request
    var hops = 0
    while true {
      let left = deadline.map { $0 - .now }
      if let left, left <= .zero {
        throw HTTPError(.timedOut, "The redirects did not end in time.", url: request.url)
      }
      let response = try await exchange(request, within: left)
      guard !request.isCredentialed, request.maximumRedirects > 0, let next = try request.redirected(by: response)
      else {
        return response
      }
      hops += 1
      guard hops <= request.maximumRedirects else {
        throw HTTPError(.badRedirect, "There were more than \(request.maximumRedirects) redirects.", url: request.url)
      }
      request = next
    }
  }

  /// Sends a request and gives its response as soon as the header is there. The body waits for its reader: no more than
  /// a little of it is kept. Follows no redirect.
  ///
  /// - Returns: the response, whatever its status.
  /// - Throws: `HTTPError` when there is no response.
  package func stream(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    try request.validate()
    let exchange = StreamedExchange(
      try order(for: request, within: request.timeout ?? configuration.timeout), on: engine)
    return HTTPStream(try await exchange.head(), exchange)
  }

  /// Sends a request whose bodies are files. Cancelling the task ends the exchange at once.
  package func exchange(_ request: HTTPFileRequest) async -> HTTPFileOutcome {
    do throws(HTTPError) {
      try request.request.validate()
      var order = try order(for: request.request, within: request.request.timeout ?? configuration.timeout)
      let files = FileExchange(request)
      order.files = files
      return files.outcome(await result(of: order))
    } catch {
      return HTTPFileOutcome(response: nil, end: .failed(error))
    }
  }

  /// One request, one response, no redirect.
  private func exchange(_ request: HTTPRequest, within timeout: Duration?) async throws(HTTPError) -> HTTPResponse {
    try await result(of: try order(for: request, within: timeout)).get()
  }

  private func result(of order: TransferOrder) async -> Result<HTTPResponse, HTTPError> {
    let id = engine.nextIdentifier()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        engine.submit(id, order) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      if order.request.endsWithCaller { engine.cancel(id) }
    }
  }

  private func order(for request: HTTPRequest, within timeout: Duration?) throws(HTTPError) -> TransferOrder {
    guard let origin = HTTPOrigin(url: request.url) else {
      throw HTTPError(
        .invalidURL, "\"\(request.url)\" is not an http or https URL without a user name.", url: request.url)
    }
    return TransferOrder(
      request: request, origin: origin, configuration: configuration, timeout: timeout,
      maximumBodyBytes: request.maximumBodyBytes ?? configuration.maximumBodyBytes)
  }
}

/// The library underneath.
package enum HTTPClientLibrary {
  /// The versions of libcurl and of what it uses, for example `libcurl/7.88.1 OpenSSL/3.0.15 …`.
  package static var version: String { unsafe String(cString: curl_version()) }
}
