internal import HTTPClient

/// The requests of one attempt: the first, and those that redirects ask for.
struct RedirectPlan: Sendable {
  var request: HTTPRequest
  /// Whether the request has the file as its body.
  private(set) var sendsBody: Bool
  /// How many redirects were followed.
  private(set) var hops = 0

  init(_ record: TransferRecord, _ headers: HTTPFields) {
    request = HTTPRequest(record.request.method, record.request.url, headers: headers, maximumRedirects: 0)
    sendsBody = record.kind == .upload
  }

  /// The header fields that do not identify the user. Another origin receives only these.
  private static let harmless = [
    "Accept", "Accept-Language", "Content-Language", "Content-Type", "If-Range", "Range", "User-Agent",
  ]

  /// - Returns: whether the response is a redirect; the request is then the next one.
  mutating func follow(_ response: HTTPResponse) throws(TransferFailure) -> Bool {
    let before = request
    do throws(HTTPError) {
      guard let next = try request.redirected(by: response) else { return false }
      request = next
    } catch {
      let isDowngrade = HTTPOrigin(url: before.url)?.scheme == "https" && error.message.contains("to http.")
      throw TransferFailure(
        isDowngrade ? .requiresSecureConnection : .redirectToNonExistentLocation, error.message,
        recovery: error.recovery)
    }
    hops += 1
    if request.method != before.method { sendsBody = false }
    if HTTPOrigin(url: request.url) != HTTPOrigin(url: before.url) {
      // The file was meant for the server that was named, and what changes something too.
      guard !sendsBody, request.method == "GET" || request.method == "HEAD" else {
        throw TransferFailure(
          .redirectToNonExistentLocation,
          "The server redirects a \(request.method) to \(HTTPOrigin(url: request.url)?.description ?? "another server"), and such a request is not led to another server.",
          recovery: "Send it to that server itself where that is meant.")
      }
      let isHarmless = { (name: String) in Self.harmless.contains { FieldSyntax.areEqual($0, name) } }
      for field in request.headers.all where !isHarmless(field.name) { request.headers[field.name] = nil }
    }
    return true
  }
}
