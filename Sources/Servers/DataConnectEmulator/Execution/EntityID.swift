import Cryptography
import JSONRPC

/// What a row is known by: the beginning of a digest of its table and its key.
enum EntityID {
  /// - Parameter key: the columns of the key by name, as the wire has them.
  static func text(_ table: String, _ key: JSONObject) -> String {
    var writer = JSONWriter()
    writer.value(.object(JSONObject(key.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 })))
    var digest = SHA256()
    digest.update(Array(table.utf8) + [0])
    digest.update(unsafe writer.withBytes { unsafe [UInt8]($0) })
    return Hexadecimal.text(for: digest.finalize().prefix(16))
  }

  /// Of an object of a response; `nil` where a part of the key is missing.
  static func text(_ entity: EntityKey, _ object: JSONObject) -> String? {
    var key = JSONObject()
    for (column, name) in entity.columns {
      guard let value = object[name], !value.isNull else { return nil }
      key[column] = value
    }
    return text(entity.table, key)
  }
}
