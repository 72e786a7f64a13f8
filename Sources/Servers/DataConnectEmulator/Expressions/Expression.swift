import CEL

/// An expression in CEL, with what is known of it without evaluating it.
struct Expression: Sendable {
  let program: CELProgram
  /// Whether it depends on who calls.
  let usesAuth: Bool
  /// Whether it asks for `auth` itself, as in `auth != null`: then it is null for somebody without a token. In
  /// `auth.uid` it is not, so that `auth.uid` is null.
  let comparesAuth: Bool
  /// Whether it depends on what earlier fields came to.
  let usesResponse: Bool

  init(_ text: String) throws(CELError) {
    program = try CELProgram(text)
    let words = Self.words(text)
    usesAuth = words.contains { $0.name == "auth" }
    comparesAuth = words.contains { $0.name == "auth" && !$0.hasMember }
    usesResponse = words.contains { $0.name == "response" }
  }

  /// The names outside of quotes, and whether a member of each is asked for.
  private static func words(_ text: String) -> [(name: String, hasMember: Bool)] {
    var found: [(String, Bool)] = []
    var rest = text.utf8[...]
    func isLetter(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
    }
    while let byte = rest.first {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        rest = rest.dropFirst()
        while let next = rest.popFirst(), next != byte { if next == UInt8(ascii: "\\") { rest = rest.dropFirst() } }
      } else if isLetter(byte) {
        let word = rest.prefix(while: isLetter)
        rest = rest.dropFirst(word.count)
        let next = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }.first
        found.append((String(Substring(word)), next == UInt8(ascii: ".") || next == UInt8(ascii: "[")))
      } else {
        rest = rest.dropFirst()
      }
    }
    return found
  }
}
