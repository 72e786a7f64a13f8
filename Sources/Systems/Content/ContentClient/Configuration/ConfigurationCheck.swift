internal import ConfigurationFiles
internal import HTTPClient

/// Refuses settings that no request can be made of, with the key and the line.
struct ConfigurationCheck {
  /// The line that sets a key.
  let place: (String) -> XCConfig.Place?

  func scheme(_ text: String) throws(ConfigurationError) -> String {
    switch text.lowercased() {
    case "", "http": return "http"
    case "https": return "https"
    default:
      throw failure("AEM_SCHEME", "AEM_SCHEME is neither http nor https.", "Write AEM_SCHEME = https or http.")
    }
  }

  func host(_ text: String, scheme: String) throws(ConfigurationError) -> String {
    if text.isEmpty { return ContentConfiguration.defaultHost }
    let advice = "Write the host and, when needed, its port: AEM_HOST = publish.example.com or 127.0.0.1:4503."
    let lower = text.lowercased()
    if lower.contains("://") || lower == "http:" || lower == "https:" {
      throw failure("AEM_HOST", "AEM_HOST begins with a scheme, which belongs into AEM_SCHEME.", advice)
    }
    if text.contains("@") {
      throw failure("AEM_HOST", "AEM_HOST names a user, which belongs into AEM_USERNAME.", advice)
    }
    if text.utf8.contains(where: { "/?#\\".utf8.contains($0) }) {
      throw failure("AEM_HOST", "AEM_HOST holds a path.", advice)
    }
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || ".-_:[]".utf8.contains(byte)
    }
    guard isPlain, !text.hasSuffix(":"), let origin = HTTPOrigin(url: "\(scheme)://\(text)"),
      (1...65535).contains(origin.port)
    else {
      throw failure("AEM_HOST", "AEM_HOST is not a host name or address with an optional port.", advice)
    }
    return text
  }

  func authentication(_ authentication: ContentConfiguration.Authentication) throws(ConfigurationError) {
    switch authentication {
    case .none, .service: return
    case .basic(let user, let password): try basic(user: user, password: password)
    case .token(let token): try bearer(token)
    }
  }

  private func basic(user: String, password: Secret) throws(ConfigurationError) {
    guard !user.isEmpty else {
      throw failure(
        "AEM_USERNAME", "AEM_AUTH_TYPE is basic and AEM_USERNAME is empty.",
        "Set AEM_USERNAME and AEM_PASSWORD, or remove AEM_AUTH_TYPE.")
    }
    guard !user.contains(":") else {
      throw failure(
        "AEM_USERNAME", "AEM_USERNAME holds a colon, which HTTP cannot send in a user name.", "Use another user.")
    }
    for (key, text) in [("AEM_USERNAME", user), ("AEM_PASSWORD", password.revealed())] {
      guard text.unicodeScalars.allSatisfy({ $0.value <= 0xFF && $0.value >= 0x20 && $0.value != 0x7F }) else {
        throw failure(
          key, "\(key) holds a character outside ISO-8859-1, which AEM cannot read.",
          "Use letters of Western Europe, digits and punctuation.")
      }
    }
  }

  private func bearer(_ token: Secret) throws(ConfigurationError) {
    let text = token.revealed()
    guard !text.isEmpty else {
      throw failure(
        "AEM_TOKEN", "AEM_AUTH_TYPE is token and AEM_TOKEN is empty.", "Set AEM_TOKEN, or remove AEM_AUTH_TYPE.")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw failure(
        "AEM_TOKEN", "AEM_TOKEN holds a blank or another character that no token has.",
        "Write the token alone, without \"Bearer\" and quotation marks.")
    }
  }

  private func failure(_ key: String, _ message: String, _ recovery: String) -> ConfigurationError {
    ConfigurationError(message, recovery: recovery, key: key, place: place(key))
  }
}
