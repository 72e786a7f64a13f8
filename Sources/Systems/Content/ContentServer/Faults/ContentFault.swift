package import HTTPServer
package import JSON

/// A fault to inject in place of an answer, for tests.
package enum ContentFault: Sendable {
  /// A given response in place of the server's.
  case response(ServerResponse)
  /// Status 200 with `errors` and `data: null`.
  case errors(String)
  /// Status 200 with the data and an error besides.
  case partial(String)
  /// The data after a change, such as a removed field.
  case changed(@Sendable (JSONValue) -> JSONValue)
  /// The right answer, late.
  case slow(Duration)
  /// The connection ends in the middle of the answer.
  case dropped
  /// Half of the answer, sent as if it were all.
  case truncated

  /// The page that AEM shows in place of an answer when a session is missing: status 200 and HTML.
  package static let loginPage = ContentFault.response(
    ServerResponse(
      text: "<!DOCTYPE html><html><head><title>Sign in</title></head><body></body></html>",
      contentType: "text/html;charset=utf-8"))

  /// The way to that page.
  package static let redirectToLogin = ContentFault.response(
    ServerResponse(status: 302, headers: [ServerField("Location", ContentEndpoint.loginPath)]))

  /// The page of an error inside of AEM.
  package static let errorPage = ContentFault.response(
    ServerResponse(
      status: 500,
      text: "<!DOCTYPE html><html><head><title>500 Internal Server Error</title></head><body></body></html>",
      contentType: "text/html;charset=utf-8"))

  /// The session has ended.
  package static let unauthorized = ContentFault.response(ContentServer.unauthorized("Bearer"))

  /// Too many requests: come again in a second.
  package static let rateLimited = ContentFault.response(
    ServerResponse(
      status: 429,
      headers: [ServerField("Content-Type", "text/plain; charset=utf-8"), ServerField("Retry-After", "1")],
      body: Array("Too Many Requests".utf8)))

  /// The service is unavailable: status 503.
  package static let unavailable = ContentFault.response(
    ServerResponse(status: 503, text: "Service Unavailable"))

  /// The data of another model: the fields of items are named as in older content, and numbers are text.
  package static let otherModel = ContentFault.changed { OtherModel.changed($0, isItem: false) }
}

/// Content of a model that has changed: `price: 5000` becomes `adventurePrice: "$5000 USD"`.
private enum OtherModel {
  static func changed(_ value: JSONValue, isItem: Bool) -> JSONValue {
    switch value {
    case .array(let items): return .array(items.map { changed($0, isItem: isItem) })
    case .object(let members):
      var object = JSONObject()
      for (name, member) in members {
        let isField = isItem && !name.hasPrefix("_")
        object[isField ? "adventure\(name.prefix(1).uppercased())\(name.dropFirst())" : name] =
          isField ? other(member) : changed(member, isItem: ["items", "item", "node"].contains(name))
      }
      return .object(object)
    default: return value
    }
  }

  private static func other(_ value: JSONValue) -> JSONValue {
    if let number = value.integerValue { return .string("$\(number) USD") }
    if let number = value.doubleValue { return .string("$\(number) USD") }
    return value
  }
}
