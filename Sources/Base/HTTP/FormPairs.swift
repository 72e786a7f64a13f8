/// The fields of a form, or of the query of a URL (`application/x-www-form-urlencoded`).
package enum FormPairs {
  /// Returns what is between the ampersands, cut at its first equals sign and still encoded; the value is `nil` without
  /// such a sign. By bytes: a sign and a combining mark behind it are one `Character`.
  package static func split(_ text: some StringProtocol) -> [(name: Substring, value: Substring?)] {
    Substring(text).utf8.split(separator: UInt8(ascii: "&")).map { pair in
      guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return (Substring(pair), nil) }
      return (Substring(pair[..<sign]), Substring(pair[pair.index(after: sign)...]))
    }
  }
}
