import JSON

/// On whose behalf an administrator has something executed: `{"authClaims": {…}}` or `{"unauthenticated": true}`.
enum Impersonation {
  /// - Parameter extensions: the member of that name of the request's body.
  /// - Throws: `invalidArgument` for what is neither.
  static func caller(_ extensions: JSONValue?) throws(RequestFailure) -> OperationCaller {
    guard let value = extensions?["impersonate"], !value.isNull else { return .administrator }
    if value["unauthenticated"]?.boolValue == true, value["authClaims"] == nil { return .nobody }
    if case .object(let token) = value["authClaims"], value["unauthenticated"]?.boolValue != true,
      let claims = Claims(token)
    {
      return .user(claims)
    }
    throw RequestFailure(
      .invalidArgument, "\"impersonate\" has either \"authClaims\" with \"sub\", or \"unauthenticated\": true.")
  }
}
