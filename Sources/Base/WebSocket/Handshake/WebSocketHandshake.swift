internal import Text
internal import Cryptography

/// What both sides of a handshake compute (RFC 6455, 4).
package enum WebSocketHandshake {
  /// Fields in the order of the message.
  package typealias Fields = [(name: String, value: String)]

  /// A key that nobody could foresee: 16 bytes in Base64.
  package static func newKey() -> String { Base64.encode(SecureRandom.bytes(16)) }

  /// What a server answers to a key.
  package static func accept(for key: String) -> String {
    Base64.encode(SHA1.digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }

  /// The one value of a field; `nil` without it, or with several of it.
  static func only(_ name: String, in fields: Fields) -> String? {
    let all = values(of: name, in: fields)
    return all.count == 1 ? all[0] : nil
  }

  static func values(of name: String, in fields: Fields) -> [String] {
    fields.filter { areEqual($0.name, name) }.map(\.value)
  }

  /// The members of a field that is a list (RFC 9110, 5.6.1).
  static func list(_ name: String, in fields: Fields) -> [String] {
    values(of: name, in: fields).flatMap { value in
      value.split(separator: ",").map { trimmed($0) }.filter { !$0.isEmpty }
    }
  }

  static func has(_ token: String, in name: String, of fields: Fields) -> Bool {
    list(name, in: fields).contains { areEqual($0, token) }
  }

  static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Without regard to the case of ASCII letters.
  static func areEqual(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8) { fold($0) == fold($1) }
  }

  private static func fold(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  static func trimmed(_ text: Substring) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text)
  }
}
