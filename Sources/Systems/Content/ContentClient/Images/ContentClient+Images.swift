internal import HTTPClient
internal import Text

extension ContentClient {
  private static let mostRedirects = 3

  /// The URL of a picture on the configured server: of a `_dynamicUrl` or a `_path` as AEM answered it.
  ///
  /// - Throws: `invalidPath`.
  package nonisolated func imageURL(
    path: String, rendition: ImageRendition = ImageRendition()
  ) throws(ContentError) -> String {
    try ImageAddress(path, origin: configuration.origin, rendition: rendition).url
  }

  /// Fetches a picture, from the cache where it is fresh.
  ///
  /// Credentials go along to the configured server, and nowhere else: a redirect to another is not followed.
  ///
  /// - Parameters:
  ///   - path: a `_dynamicUrl` or a `_path`, as AEM answered it.
  ///   - rendition: what the picture is to be like, as far as it has a `_dynamicUrl`.
  /// - Throws: `invalidPath`, `invalidImage`, and whatever running a query throws for the same reasons.
  package func image(
    path: String, rendition: ImageRendition = ImageRendition(), policy: Policy = .useCache
  ) async throws(ContentError) -> ContentImage {
    let address = try ImageAddress(path, origin: configuration.origin, rendition: rendition)
    let check = ImageCheck(configuration: configuration, path: quotable(address.path), hidden: credentials.hidden)
    let exchange = ServerExchange(
      "GET", address.url, of: self, headers: ["Accept": "image/webp,image/png,image/jpeg,image/gif"],
      maximumBodyBytes: limits.maximumImageBytes)
    let fetch = CachedFetch<ReceivedImage>(
      exchange: exchange, cache: images,
      key: ResponseCache.Key(url: address.url, identity: configuration.authentication.identity), clock: clock,
      flights: imageFlights,
      send: { exchange, tag, policy, isHurried throws(ContentError) in
        try await Self.follow(exchange, tag, policy, isHurried, check)
      },
      read: { response throws(ContentError) in try check.image(in: response) }, mayKeep: { _ in true })
    let found: CachedFetch<ReceivedImage>.Outcome
    do throws(ContentError) { found = try await fetch.run(policy) } catch {
      guard error.kind == .tooLarge else { throw error }
      throw ContentError(
        .tooLarge, "The picture \"\(check.path)\" has more than \(limits.maximumImageBytes >> 10) KiB.",
        recovery: "Ask for a smaller width, or a lower quality.")
    }
    return ContentImage(
      bytes: found.answer.bytes, format: found.answer.format, source: found.source, ageSeconds: found.age,
      staleReason: found.staleReason)
  }

  /// Removes the pictures from the cache, including those of other processes, so that a refresh downloads new ones.
  package func forgetImages() async { await images?.removeAll() }

  /// Sends the request, and follows redirects on the same server.
  private static func follow(
    _ exchange: ServerExchange, _ tag: String?, _ policy: Policy, _ isHurried: Bool, _ check: ImageCheck
  ) async throws(ContentError) -> HTTPResponse {
    var exchange = exchange
    for _ in 0...mostRedirects {
      let response = try await exchange.response(
        entityTag: tag, passesCaches: !policy.allowsCache, isHurried: isHurried)
      guard let location = response.headers["Location"], (300..<400).contains(response.status), response.status != 304
      else { return response }
      guard let target = exchange.target(of: response),
        HTTPOrigin(url: target) == HTTPOrigin(url: exchange.configuration.origin)
      else { throw check.redirected(response.status, to: location) }
      exchange.url = target
    }
    throw ContentError(
      .redirected, "\(exchange.configuration.origin) redirects \"\(check.path)\" more than \(mostRedirects) times.",
      recovery: "Check the rewriting rules of the server.")
  }
}

extension ServerExchange {
  /// Returns the target of a redirect; nil for a target that is not an http URL.
  fileprivate func target(of response: HTTPResponse) -> String? {
    var answered = response
    answered.url = url
    let request = HTTPRequest("GET", url)
    return (try? request.redirected(by: answered))??.url
  }
}
