package import HTTPClient

/// Sends one request and gives its answer, whatever the status. It follows no redirect: requests ask for none.
package typealias ContentTransport = @Sendable (_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
