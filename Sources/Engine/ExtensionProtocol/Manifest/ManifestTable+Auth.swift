import PropertyList

/// The elements of `Annex.Auth`, and `Annex.Identity`.
extension ManifestTable {
  /// An element of `Annex.Auth`.
  package static let auth = [
    key(
      "Scopes", "array of strings",
      "What the token is for: scopes of one resource. The extension may ask for any of them together. Required.",
      ["api://notes/Notes.Read"]),
    key(
      "Servers", "array of strings",
      "Where the host sends calls with the token: entries as those of `Annex.Network`. Required unless `Token` is there.",
      ["api.example.com"]),
    key(
      "Token", "Boolean", "Whether the extension may have the token itself, and not only calls with it.",
      default: "false", false),
  ]

  /// The keys of `Annex.Identity`.
  package static let identity = [
    key(
      "Authority", "string",
      "The address of the identity server, https but for this machine: with native authentication "
        + "`https://name.ciamlogin.com/name.onmicrosoft.com`, else the issuer. Required.",
      "https://login.example.com"),
    key("ClientID", "string", "What the app is called at the identity server. Required.", "notes"),
    key(
      "ChallengeTypes", "array of strings",
      "What the app's own form can ask for: `password`, `oob` (a one-time code), or both. Without the key the server is "
        + "asked by OpenID Connect.", default: "OpenID Connect", ["password", "oob"]),
  ]

  private static func key(
    _ name: String, _ form: String, _ summary: String, default standard: String = "", _ example: PropertyListValue
  ) -> ManifestKey {
    ManifestKey(name, .any, in: .elsewhere).described(summary, as: form, default: standard, example: example)
  }
}
