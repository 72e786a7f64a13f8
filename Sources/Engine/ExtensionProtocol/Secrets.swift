/// The rules by which secrets are recognised in everything that is written or shown: traces, logs, errors, redirected
/// requests.
///
/// A secret is recognised by the meaning of its name, in any spelling (`X-Amz-Security-Token`, `accessToken`,
/// `new_password`), and by the form of the value itself (`Bearer …`, a JSON Web Token, a private key).
package enum Secrets {
  /// The mark that replaces a secret.
  package static let mark = "<redacted>"

  // MARK: Names

  /// The words that make a name secret anywhere in it.
  private static let words: Set<String> = [
    "assertion", "bearer", "cookie", "credential", "credentials", "jwt", "oob", "otp", "passcode", "passphrase",
    "passwd", "password", "passwords", "pwd", "secret", "secrets", "token",
  ]
  /// The same, in names that are written without a border between their words.
  private static let runs = [
    "accesskey", "accesstoken", "apikey", "authorization", "authtoken", "clientsecret", "codeverifier",
    "continuationtoken", "devicecode", "idtoken", "newpassword", "onetimecode", "oobcode", "password", "privatekey",
    "refreshtoken", "securitytoken", "sessiontoken", "setcookie",
  ]
  /// What has to stand before `key` or `code`, words that alone say nothing.
  private static let keyOwners: Set<String> = [
    "access", "account", "api", "auth", "encryption", "function", "functions", "license", "master", "private", "secret",
    "security", "shared", "signing", "subscription",
  ]
  private static let codeOwners: Set<String> = [
    "auth", "authorization", "challenge", "device", "oob", "recovery", "time", "user", "verification",
  ]
  /// Last words of names that are about a secret and hold none: `token_type`, `auth-method`.
  private static let attributes: Set<String> = [
    "at", "count", "duration", "enabled", "endpoint", "expires", "expiry", "format", "in", "kind", "length", "lifetime",
    "limit", "method", "methods", "policy", "required", "rule", "scheme", "size", "supported", "type", "types", "uri",
    "url",
  ]
  private static let longestName = 128

  /// Whether the name of a member, a header field, a variable or a query's parameter says that its value is a secret.
  ///
  /// - Parameter name: longer than 128 bytes, it is a secret's: nothing of ours is called so.
  package static func isName(_ name: String) -> Bool {
    guard name.utf8.count <= longestName else { return true }
    let words = Self.words(of: name)
    guard let last = words.last, !(words.count > 1 && attributes.contains(last)) else { return false }
    if words.contains(where: { Self.words.contains($0) }) { return true }
    if words.contains("auth") || words.contains("authorization") { return true }
    for (owner, word) in zip(words, words.dropFirst()) {
      if word == "key", keyOwners.contains(owner) { return true }
      if word == "code", codeOwners.contains(owner) { return true }
      if owner == "code", word == "verifier" { return true }
    }
    let joined = words.joined()
    return runs.contains { joined.hasSuffix($0) }
  }

  /// Whether a parameter of a URL's query or fragment is a secret: the short names of signed URLs and of sign-in count too.
  private static func isParameter(_ name: String) -> Bool {
    ["code", "sig", "signature"].contains(name.lowercased())
      || name.lowercased().hasSuffix("signature") || isName(name)
  }

  /// The words of a name in lower case: `X-Amz-Security-Token`, `accessToken` and `API_KEY` have theirs apart.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var wasUpper = false
    func close() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word.removeAll()
    }
    let bytes = Array(name.utf8)
    for (index, byte) in bytes.enumerated() {
      let isUpper = (0x41...0x5A).contains(byte)
      guard isUpper || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte >= 0x80 else {
        close()
        wasUpper = false
        continue
      }
      let isNextLower = index + 1 < bytes.count && (0x61...0x7A).contains(bytes[index + 1])
      if isUpper, !wasUpper || isNextLower { close() }
      word.append(isUpper ? byte | 0x20 : byte)
      wasUpper = isUpper
    }
    close()
    return words
  }

  // MARK: Values

  /// Returns whether a value is a credential by its form alone.
  package static func isCredential(_ value: String) -> Bool {
    let lower = value.prefix(10).lowercased()
    if lower.hasPrefix("bearer ") { return true }
    if lower.hasPrefix("basic ") || lower.hasPrefix("digest "), value.utf8.count > 8 { return true }
    return value.hasPrefix("-----BEGIN") && value.prefix(64).contains("PRIVATE KEY")
      || hasKnownForm(value.utf8.prefix(4096))
  }

  /// The prefixes with which well-known services begin their tokens, and the shortest length of such a token.
  private static let prefixes: [(String, Int)] = [
    ("eyJ", 24), ("ghp_", 20), ("gho_", 20), ("ghs_", 20), ("github_pat_", 20), ("glpat-", 16), ("xoxb-", 16),
    ("xoxp-", 16), ("AKIA", 20), ("ASIA", 20), ("sk_live_", 16),
  ]

  /// Bytes of the shortest of them: most words of a text need no closer look.
  fileprivate static let shortestForm = prefixes.map(\.1).min() ?? 0

  private static func hasKnownForm(_ value: some Collection<UInt8>) -> Bool {
    prefixes.contains { prefix, least in
      guard value.starts(with: prefix.utf8), value.count >= least, value.allSatisfy(isNameByte) else { return false }
      // A JSON Web Token has two dots.
      return prefix != "eyJ" || value.count { $0 == 0x2E } >= 2
    }
  }

  // MARK: Text

  /// A text without the secrets in it: the values behind secret names (`token=…`, `Cookie: …`, `"password": "…"`),
  /// secret parameters and passwords of URLs, and credentials by their form. One pass.
  package static func redacted(_ text: String) -> String {
    var scan = SecretScan(Array(text.utf8), isSecret: isName, isParameter: isParameter, hasForm: { hasKnownForm($0) })
    return scan.redacted() ?? text
  }

  /// The bytes of names and of tokens.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }
}

/// Goes through a text once and leaves its secrets out.
private struct SecretScan {
  private let bytes: [UInt8]
  private let isSecret: (String) -> Bool
  private let isParameter: (String) -> Bool
  private let hasForm: (ArraySlice<UInt8>) -> Bool
  private var output: [UInt8] = []
  /// What was copied so far ends here.
  private var copied = 0
  private var position = 0

  init(
    _ bytes: [UInt8], isSecret: @escaping (String) -> Bool, isParameter: @escaping (String) -> Bool,
    hasForm: @escaping (ArraySlice<UInt8>) -> Bool
  ) {
    self.bytes = bytes
    self.isSecret = isSecret
    self.isParameter = isParameter
    self.hasForm = hasForm
  }

  /// - Returns: `nil` when there is no secret.
  mutating func redacted() -> String? {
    while position < bytes.count {
      guard Secrets.isNameByte(bytes[position]) else {
        leaveUserPassword()
        position += 1
        continue
      }
      let start = position
      while position < bytes.count, Secrets.isNameByte(bytes[position]) { position += 1 }
      take(start..<position)
    }
    guard !output.isEmpty else { return nil }
    output += bytes[copied...]
    return String(decoding: output, as: UTF8.self)
  }

  /// A run of name bytes: a name with a value behind it, a scheme with its credentials, or a token itself.
  private mutating func take(_ run: Range<Int>) {
    if run.count >= Secrets.shortestForm, hasForm(bytes[run]) { return hide(run) }
    guard run.count <= 128, position < bytes.count else { return }
    let name = String(decoding: bytes[run], as: UTF8.self)
    if bytes[position] == 0x20, ["bearer", "basic"].contains(name.lowercased()) {
      let value = self.value(from: position + 1, until: isBreak)
      if value.count >= 8 { hide(value) }
      return
    }
    var place = position
    if let quote = quote(at: place) { place = quote + 1 }
    while place < bytes.count, bytes[place] == 0x20 { place += 1 }
    guard place < bytes.count, bytes[place] == 0x3D || bytes[place] == 0x3A else { return }
    let isQuery =
      bytes[place] == 0x3D && run.lowerBound > 0 && [0x3F, 0x26, 0x23, 0x3B].contains(bytes[run.lowerBound - 1])
    guard isQuery ? isParameter(name) : isSecret(name) else { return }
    place += 1
    while place < bytes.count, bytes[place] == 0x20 { place += 1 }
    if let quote = quote(at: place) {
      hide(quoted(from: quote + 1, behind: quote - place))
    } else if isQuery {
      hide(value(from: place, until: isBreak))
    } else {
      // A field of a header goes to the end of its line.
      hide(value(from: place, until: bytes[position] == 0x3A ? { $0 == 0x0A || $0 == 0x0D } : isBreak))
    }
  }

  /// `scheme://user:password@host`: what stands between the slashes and the sign.
  private mutating func leaveUserPassword() {
    guard bytes[position] == 0x2F, position >= 2, bytes[position - 1] == 0x2F, bytes[position - 2] == 0x3A else {
      return
    }
    let authority = value(from: position + 1, until: { isBreak($0) || $0 == 0x2F || $0 == 0x3F })
    guard let sign = bytes[authority].lastIndex(of: 0x40), bytes[authority.lowerBound..<sign].contains(0x3A) else {
      return
    }
    hide(authority.lowerBound..<sign)
  }

  private func value(from start: Int, until ends: (UInt8) -> Bool) -> Range<Int> {
    var end = min(start, bytes.count)
    while end < bytes.count, !ends(bytes[end]) { end += 1 }
    return min(start, bytes.count)..<end
  }

  /// A quote, which in a text within a text stands behind backslashes.
  private func quote(at place: Int) -> Int? {
    let quote = value(from: place, until: { $0 != 0x5C }).upperBound
    return quote < bytes.count && bytes[quote] == 0x22 ? quote : nil
  }

  /// A value up to the quote that ends it. One behind more backslashes than the first is part of the value, unless they are
  /// backslashes of the value themselves; one behind fewer ends the text around it.
  private func quoted(from start: Int, behind escapes: Int) -> Range<Int> {
    var run = 0
    for place in start..<bytes.count {
      if bytes[place] == 0x22, run < escapes || (run - escapes).isMultiple(of: 2 * (escapes + 1)) {
        return start..<(place - min(run, escapes))
      }
      run = bytes[place] == 0x5C ? run + 1 : 0
    }
    return start..<bytes.count
  }

  /// Where a value without quotes ends.
  private func isBreak(_ byte: UInt8) -> Bool {
    byte <= 0x20 || [0x22, 0x23, 0x26, 0x27, 0x2C, 0x3B, 0x3C, 0x3E, 0x7D, 0x5D].contains(byte)
  }

  private mutating func hide(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    output += bytes[copied..<range.lowerBound]
    output += Secrets.mark.utf8
    copied = range.upperBound
    position = range.upperBound
  }
}
