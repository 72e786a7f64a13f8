public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

extension ExtensionContext {
  /// Has the host call a web API as the signed-in user. It works like ``fetch(_:method:headers:body:)``, with an access
  /// token that the host adds and keeps.
  ///
  /// ```swift
  /// let answer = try await context.fetch("https://api.example.com/notes", scopes: ["api://notes/Notes.Read"])
  /// ```
  ///
  /// The manifest must name the scopes and the server in one entry of `Annex.Auth`, and the user must consent. When the
  /// API rejects the token, the host renews it and sends the request once more.
  ///
  /// - Parameters:
  ///   - scopes: the scopes of the token: at least one, all of one resource.
  ///   - account: an id or a user name; `nil` for the only account.
  /// - Returns: the API's answer, whatever its status.
  /// - Throws: `interactionRequired` when the user must sign in (``requestSignIn(reason:scopes:loginHint:)``),
  ///   `permissionDenied` for what the manifest does not name, `authFailed` and `networkFailed` with the kind of the
  ///   failure.
  public func fetch(
    _ url: String, scopes: [String], account: String? = nil, method: String = "GET", headers: [String: String] = [:],
    body: String? = nil
  ) async throws(ExtensionError) -> Network.Fetch.Result {
    try await fetch(
      Network.Fetch(
        url: url, method: method, headers: headers.isEmpty ? nil : headers, body: body.map { Network.Body(text: $0) }),
      scopes: scopes, account: account)
  }

  /// The same with every choice there is: a body from a file, a time limit, an answer in a file.
  ///
  /// - Throws: as ``fetch(_:scopes:account:method:headers:body:)``.
  public func fetch(
    _ request: Network.Fetch, scopes: [String], account: String? = nil
  ) async throws(ExtensionError) -> Network.Fetch.Result {
    var params = Auth.Fetch(request, scopes: scopes, account: account)
    params.requestID = params.requestID ?? (requestID.isEmpty ? nil : requestID)
    let limit = min(request.timeoutMs ?? Network.Fetch.longestTimeoutMs, Network.Fetch.longestTimeoutMs)
    return try await call(params, deadline: .milliseconds(max(limit, 0)) + .seconds(5))
  }

  /// The same, with a body that is read while it arrives.
  ///
  /// - Throws: as ``fetch(_:scopes:account:method:headers:body:)``.
  public func fetchBytes(
    _ request: Network.Fetch, scopes: [String], account: String? = nil
  ) async throws(ExtensionError) -> FetchedBytes {
    var request = request
    request.delivery = .stream
    let answer = try await fetch(request, scopes: scopes, account: account)
    guard let id = answer.body.stream else {
      throw ExtensionError(.protocolViolation, "The host's answer to auth/fetch names no stream.")
    }
    return FetchedBytes(answer, try stream(id))
  }

  /// Returns an access token, for requests that the host cannot send. The manifest's entry must contain `Token`. Use
  /// ``fetch(_:scopes:account:method:headers:body:)`` where possible, and never store the token.
  ///
  /// - Parameters:
  ///   - scopes: the scopes of the token: at least one, all of one resource.
  ///   - account: an id or a user name; `nil` for the only account.
  ///   - forceRefresh: whether to request a new token instead of a cached one.
  ///   - claims: the text of a JSON object, as an API demands it.
  /// - Throws: as ``fetch(_:scopes:account:method:headers:body:)``.
  public func accessToken(
    scopes: [String], account: String? = nil, forceRefresh: Bool = false, claims: String? = nil
  ) async throws(ExtensionError) -> Auth.Token.Result {
    try await call(
      Auth.Token(scopes: scopes, account: account, forceRefresh: forceRefresh ? true : nil, claims: claims),
      deadline: .seconds(35))
  }

  /// Returns the accounts signed in at the identity server of the containing app.
  ///
  /// - Throws: `permissionDenied`; `serviceUnavailable` when no identity server is configured for the app.
  public func accounts() async throws(ExtensionError) -> [Auth.Account] {
    try await call(Auth.Accounts()).accounts
  }

  /// Has the host ask the user to sign in. The user may take minutes.
  ///
  /// - Parameters:
  ///   - reason: the reason, shown to the user: one sentence of at most 200 characters.
  ///   - scopes: the scopes that the extension will request tokens for.
  ///   - loginHint: the expected user name.
  /// - Returns: whether a user is signed in, with the account.
  /// - Throws: `permissionDenied` for scopes that the manifest does not name, `authFailed` with the kind of the failure.
  public func requestSignIn(
    reason: String, scopes: [String]? = nil, loginHint: String? = nil
  ) async throws(ExtensionError) -> Auth.RequestSignIn.Result {
    try await call(
      Auth.RequestSignIn(reason: reason, scopes: scopes, loginHint: loginHint), deadline: .seconds(605))
  }
}
