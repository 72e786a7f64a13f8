import ExtensionProtocol
import JSON

/// What is kept of a log line of an extension: not more than so much, and no secret.
enum LogLimit {
  /// Of the message, and of the fields as JSON.
  static let bytes = 16 << 10

  /// The message, cut at a character.
  static func message(_ text: String) -> String {
    guard text.utf8.count > bytes else { return Secrets.redacted(text) }
    var count = 0
    let kept = text.prefix { character in
      count += character.utf8.count
      return count <= bytes
    }
    return Secrets.redacted(String(kept))
  }

  /// The fields, or in place of too many their size.
  static func fields(_ fields: [String: JSONValue]) -> [String: JSONValue] {
    if fields.isEmpty { return fields }
    let object = JSONValue.object(JSONObject(fields.map { ($0.key, $0.value) }))
    let size = JSONCoding.text(of: object).utf8.count
    guard size <= bytes, case .object(let kept) = Redaction.apply(object) else {
      return ["log.droppedBytes": .integer(Int64(size))]
    }
    return Dictionary(kept.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }
}
