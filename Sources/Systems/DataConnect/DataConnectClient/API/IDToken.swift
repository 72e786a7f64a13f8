package import ConfigurationFiles

/// What proves to the server who asks.
package struct IDToken: Sendable, Equatable {
  /// The compact JSON web token.
  package var text: Secret
  /// The user whom it names: `sub`.
  package var user: String

  package init(text: Secret, user: String) {
    self.text = text
    self.user = user
  }
}

/// Gives the token of the user, or `nil` when nobody is signed in.
///
/// - Parameter forceRefresh: whether the server has refused the token that was given before.
/// - Throws: a `DataConnectFailure`, which is passed on; anything else becomes `unauthenticated`.
package typealias TokenSource = @Sendable (_ forceRefresh: Bool) async throws -> IDToken?
