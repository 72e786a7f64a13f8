internal import ConfigurationFiles
internal import HTTP
internal import Text

/// Removes secrets from text of a server before a message quotes it: the server knows the secrets and may repeat them.
struct HiddenTexts: Sendable {
  private let secrets: [Secret]
  /// The shortest secret that is hidden: a shorter one also occurs in ordinary words.
  private static let shortest = 4

  init(_ secrets: [Secret]) { self.secrets = secrets }

  /// One short line. Secrets go before anything is cut, so that no half of one is left.
  func quoted(_ text: some StringProtocol) -> String {
    var text = String(text)
    for secret in secrets {
      let hidden = secret.revealed()
      guard hidden.utf8.count >= Self.shortest else { continue }
      for form in [hidden, PercentEncoding.component(hidden)] where text.utf8.count >= form.utf8.count {
        text = text.replacing(form, with: "\(secret)")
      }
    }
    return quotable(text)
  }
}
