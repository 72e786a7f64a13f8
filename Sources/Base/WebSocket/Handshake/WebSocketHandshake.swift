internal import Cryptography
internal import HTTP
internal import Text

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
    fields.filter { FieldSyntax.areEqual($0.name, name) }.map(\.value)
  }

  /// The members of a field that is a list (RFC 9110, 5.6.1).
  static func list(_ name: String, in fields: Fields) -> [String] {
    values(of: name, in: fields).flatMap { value in
      value.split(separator: ",").map { FieldSyntax.trimmed($0) }.filter { !$0.isEmpty }
    }
  }

  static func has(_ token: String, in name: String, of fields: Fields) -> Bool {
    list(name, in: fields).contains { FieldSyntax.areEqual($0, token) }
  }
}
