extension HTTPRequest {
  /// The request that a redirect asks for (RFC 9110, 15.4); nil when the response is the answer.
  ///
  /// - Throws: `badRedirect` when the target is no http URL, or leads from https to http.
  package func redirected(by response: HTTPResponse) throws(HTTPError) -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"] else {
      return nil
    }
    guard let target = resolve(location, against: response.url), let origin = HTTPOrigin(url: target) else {
      throw HTTPError(.badRedirect, "The server redirects to \"\(location)\", which is no http URL.", url: url)
    }
    if HTTPOrigin(url: response.url)?.scheme == "https", origin.scheme == "http" {
      throw HTTPError(.badRedirect, "The server redirects from https to http.", url: url)
    }
    var next = self
    next.url = target
    let changesToGET = response.status == 303 || (response.status <= 302 && method == "POST")
    if changesToGET, method != "GET", method != "HEAD" {
      next.method = "GET"
      next.body = nil
      next.headers["Content-Type"] = nil
      next.headers["Content-Encoding"] = nil
    }
    return next
  }
}
