import JSONRPC

/// How much of a log line of an extension is kept.
enum LogLimit {
  /// Of the message, and of the fields as JSON.
  static let bytes = 16 << 10

  /// The message, cut at a character.
  static func message(_ text: String) -> String {
    guard text.utf8.count > bytes else { return text }
    var count = 0
    let kept = text.prefix { character in
      count += character.utf8.count
      return count <= bytes
    }
    return String(kept)
  }

  /// The fields, or in place of too many their size.
  static func fields(_ fields: [String: JSONValue]) -> [String: JSONValue] {
    if fields.isEmpty { return fields }
    let size = JSONCoding.text(of: .object(JSONObject(fields.map { ($0.key, $0.value) }))).utf8.count
    return size <= bytes ? fields : ["log.droppedBytes": .integer(Int64(size))]
  }
}
