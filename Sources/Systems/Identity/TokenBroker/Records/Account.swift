/// Who is, or was, signed in.
package struct Account: Sendable, Hashable {
  /// The `home_account_id`.
  package let id: String
  package let username: String
  package let name: String?
  /// Whether tokens can be got without the user.
  package let signedIn: Bool

  package init(id: String, username: String, name: String? = nil, signedIn: Bool) {
    (self.id, self.username, self.name, self.signedIn) = (id, username, name, signedIn)
  }
}
