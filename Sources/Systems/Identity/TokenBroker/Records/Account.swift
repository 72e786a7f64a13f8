/// An account that is, or was, signed in.
package struct Account: Sendable, Hashable {
  /// The account's `home_account_id`.
  package let id: String
  /// The name that the user signs in with.
  package let username: String
  /// The name for display; nil when the server gave none.
  package let name: String?
  /// Whether the broker can get tokens without the user's help.
  package let signedIn: Bool

  /// Creates an account from its identifier, its names and its state.
  package init(id: String, username: String, name: String? = nil, signedIn: Bool) {
    (self.id, self.username, self.name, self.signedIn) = (id, username, name, signedIn)
  }
}
