import DataConnectCompiler

extension OperationAccess {
  /// - Returns: why a caller may not; `nil` when it may.
  func refusal(of caller: OperationCaller, _ scope: ExpressionScope) -> RequestFailure? {
    if caller == .administrator { return nil }
    switch grant {
    case .level(.everybody): return nil
    case .level(.nobody): return RequestFailure(.permissionDenied, "Only administrators may call this operation.")
    case .level(let level):
      guard let claims = caller.claims else { return Self.unauthenticated }
      switch level {
      case .user where claims.isAnonymous:
        return RequestFailure(.permissionDenied, "Anonymous accounts may not call this operation.")
      case .verifiedUser where claims.isAnonymous || !claims.hasVerifiedEmail:
        return RequestFailure(
          .permissionDenied, "Only users whose address of e-mail is verified may call this operation.")
      default: return nil
      }
    case .expression(let text):
      if scope.holds(text) { return nil }
      return caller.claims == nil
        ? Self.unauthenticated : RequestFailure(.permissionDenied, "This user may not call the operation.")
    }
  }

  private static let unauthenticated = RequestFailure(
    .unauthenticated, "unauthorized: this operation requires a signed-in user")
}
