internal import ImageFile
internal import HTTPClient
internal import Text

/// Distinguishes a picture from any other response of a web server.
struct ImageCheck: Sendable {
  let configuration: ContentConfiguration
  /// Fit for a message.
  let path: String
  let hidden: HiddenTexts

  private var server: String { configuration.origin }

  func image(in response: HTTPResponse) throws(ContentError) -> ReceivedImage {
    let status = response.status
    guard status == 200 else { throw failure(status) }
    if let format = ImageFormat(response.body) { return ReceivedImage(bytes: response.body, format: format) }
    let type = response.mediaType
    if type.hasSuffix("html") || type.hasSuffix("html+xml") { throw signInPage(status) }
    let isDrawing = type == "image/svg+xml" || response.body.prefix(512).starts(with: "<svg".utf8)
    let what = isDrawing ? "an SVG drawing, which may hold programs" : type.isEmpty ? "no picture" : hidden.quoted(type)
    throw ContentError(
      .invalidImage, "\(server) answered \"\(path)\" with \(what): only PNG, JPEG, GIF and WebP are taken.",
      recovery: "Ask for the picture in one of these formats.", httpStatus: status)
  }

  /// A redirect that is not followed.
  func redirected(_ status: Int, to location: String) -> ContentError {
    let path = location.withoutQuery.lowercased()
    if path.contains("login") || path.contains("signin") || path.contains("sign-in") { return signInPage(status) }
    let target = HTTPOrigin(url: location).map { "to \($0)" } ?? "elsewhere"
    return error(
      .redirected, "\(server) redirects \"\(self.path)\" \(target) (\(status)), which is not followed.",
      "Have AEM serve its pictures itself.", status)
  }

  private func failure(_ status: Int) -> ContentError {
    switch status {
    case 401: error(.unauthorized, "\(server) does not accept the credentials (401).", credentialsAdvice, status)
    case 403: error(.forbidden, "\(server) refuses \"\(path)\" (403).", credentialsAdvice, status)
    case 404:
      error(.notFound, "\(server) has no picture \"\(path)\" (404).", "Check that the picture is published.", status)
    case 429:
      error(.rateLimited, "\(server) receives too many requests (429).", "Wait, then try again.", status)
    case 500..<600: error(.serverError, "\(server) failed with status \(status).", "Try again later.", status)
    default:
      error(
        .unexpectedStatus, "\(server) answered \"\(path)\" with status \(status).", "Check the path of the picture.",
        status)
    }
  }

  private func signInPage(_ status: Int) -> ContentError {
    error(
      .signInPage, "\(server) answered \"\(path)\" with a web page, most likely its sign-in page.", credentialsAdvice,
      status)
  }

  private var credentialsAdvice: String {
    configuration.authentication == .none
      ? configuration.authentication.advice
      : "Check the credentials in the content configuration, and that they may read the picture."
  }

  private func error(_ kind: ContentError.Kind, _ message: String, _ recovery: String, _ status: Int) -> ContentError {
    ContentError(kind, message, recovery: recovery, httpStatus: status)
  }
}
