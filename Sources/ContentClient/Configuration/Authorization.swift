internal import ConfigurationFiles

extension ContentConfiguration.Authentication {
  /// The value of the `Authorization` field; nil without authentication.
  func headerValue() -> String? {
    switch self {
    case .none: nil
    case .basic(let user, let password): "Basic \(base64(latin1("\(user):\(password.revealed())")))"
    case .token(let token): "Bearer \(token.revealed())"
    }
  }

  /// Who asks, as a part of the cache key. It holds no secret: a token is a fingerprint.
  var identity: String {
    switch self {
    case .none: "none"
    case .basic(let user, _): "basic \(user)"
    case .token(let token): "token \(String(fingerprint(token.revealed()), radix: 16))"
    }
  }

  /// One byte for each character: AEM reads credentials so. Others were refused with the configuration.
  private func latin1(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  /// FNV-1a, 64 bits: tells tokens apart; too short to hold one.
  private func fingerprint(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// RFC 4648, 4.
private func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var result: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for position in 0..<4 {
      let digit = alphabet[bits >> (18 - 6 * position) & 63]
      result.append(position <= group.count ? digit : UInt8(ascii: "="))
    }
  }
  return String(decoding: result, as: UTF8.self)
}
