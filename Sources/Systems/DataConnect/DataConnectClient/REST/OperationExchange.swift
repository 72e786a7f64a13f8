internal import ConfigurationFiles
internal import HTTPClient
internal import JSON
internal import Text

/// Executes one operation by one request: `executeQuery` and `executeMutation` of the REST interface.
struct OperationExchange: Sendable {
  let http: HTTPClient
  let limits: DataConnectClient.Limits
  /// Sent as `X-Goog-Api-Client`.
  let clientName: String

  /// Sends a checked operation, and repeats it with a new token when the server rejects the first.
  ///
  /// - Parameter user: the expected user; a token of another user is not sent.
  func execute(
    _ operation: DataOperation, at endpoint: DataConnectEndpoint, user: String?, token source: TokenSource
  ) async throws(DataConnectFailure) -> DataResponse {
    let body = body(of: operation, at: endpoint)
    let url = try endpoint.url(for: operation.kind)
    let token = try await Self.token(of: user, from: source)
    var response = try await send(body, to: url, token, endpoint)
    // Refused with 401, nothing was executed.
    if response.status == 401, let token,
      let renewed = try await Self.token(of: user, from: source, forceRefresh: true), renewed.text != token.text
    {
      response = try await send(body, to: url, renewed, endpoint)
    }
    return try answer(response, to: operation, at: endpoint)
  }

  /// The token of a user; `nil` when there is none to send.
  ///
  /// - Throws: `unauthenticated` when the token is another user's.
  static func token(
    of user: String?, from source: TokenSource, forceRefresh: Bool = false
  ) async throws(DataConnectFailure) -> IDToken? {
    let token: IDToken?
    do { token = try await source(forceRefresh) } catch let failure as DataConnectFailure { throw failure } catch {
      if error is CancellationError { throw .cancelled }
      throw DataConnectFailure(
        .unauthenticated, "The user's token cannot be had.", recovery: "Sign in again, then try again.")
    }
    guard (token?.user).map({ ExactText($0) }) == user.map({ ExactText($0) }) else { throw .userChanged }
    return token
  }

  private func body(of operation: DataOperation, at endpoint: DataConnectEndpoint) -> [UInt8] {
    let body: JSONValue = [
      "name": .string(endpoint.connectorName), "operationName": .string(operation.name),
      "variables": .object(operation.variables),
    ]
    return Array(JSONCoding.text(of: body).utf8)
  }

  private func send(
    _ body: [UInt8], to url: String, _ token: IDToken?, _ endpoint: DataConnectEndpoint
  ) async throws(DataConnectFailure) -> HTTPResponse {
    var request = HTTPRequest(
      "POST", url, headers: ["Content-Type": "application/json", "Accept": "application/json"], body: body,
      timeout: limits.timeout, maximumBodyBytes: limits.answerBytes, maximumRedirects: 0)
    if endpoint.isLoopbackOnly { request.allowedReaches = [.loopback] }
    request.headers["X-Goog-Api-Client"] = clientName
    let location = DataConnectEndpoint.escaped(endpoint.location)
    request.headers["x-goog-request-params"] = "location=\(location)&frontend=data"
    request.headers["X-Firebase-Auth-Token"] = token?.text.revealed()
    do throws(HTTPError) { return try await http.send(request) } catch {
      throw DataConnectFailure(error, at: endpoint)
    }
  }

  private func answer(
    _ response: HTTPResponse, to operation: DataOperation, at endpoint: DataConnectEndpoint
  ) throws(DataConnectFailure) -> DataResponse {
    let value = try? JSONCoding.parse(response.body)
    guard response.status == 200 else {
      throw DataConnectFailure(.init(value), status: response.status, operation: operation, at: endpoint)
    }
    guard let object = value?.objectValue else { throw .misshapen("it is not a JSON object", at: endpoint) }
    do throws(DataResponse.Misshapen) { return try DataResponse(object) } catch {
      throw .misshapen(error.what, at: endpoint)
    }
  }
}
