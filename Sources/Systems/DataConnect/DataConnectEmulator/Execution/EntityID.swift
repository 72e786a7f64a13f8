import Cryptography
import JSON

/// The identifier of a row: the beginning of a digest of its table and its key.
enum EntityID {
  /// - Parameter key: the columns of the key by name, as the wire has them.
  static func text(_ table: String, _ key: JSONObject) -> String {
    text(table, key.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 })
  }

  /// - Parameter key: sorted by name.
  private static func text(_ table: String, _ key: [(String, JSONValue)]) -> String {
    var writer = JSONWriter()
    writer.byte(0x7B)
    for (index, (name, value)) in key.enumerated() {
      if index > 0 { writer.byte(0x2C) }
      writer.string(name)
      writer.byte(0x3A)
      writer.value(value)
    }
    writer.byte(0x7D)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(table.utf8.count + 1 + writer.length)
    bytes.append(contentsOf: table.utf8)
    bytes.append(0)
    unsafe writer.withBytes { unsafe bytes.append(contentsOf: $0) }
    return Hexadecimal.text(for: SHA256.digest(of: bytes).prefix(16))
  }

  /// Returns the identifiers of rows in a statement's output, `[["Review", {"id": …}], …]`.
  static func texts(_ json: [UInt8]) -> [String] {
    guard let rows = try? JSONCoding.parse(json).arrayValue else { return [] }
    return rows.compactMap { row in
      guard let table = row[0]?.stringValue, let key = row[1]?.objectValue else { return nil }
      return text(table, key)
    }
  }

  /// Returns the identifier of an object of a response; `nil` when a part of the key is missing.
  static func text(_ entity: EntityKey, _ object: JSONObject) -> String? {
    var key: [(String, JSONValue)] = []
    for (column, name) in entity.columns {
      guard let value = object[name], !value.isNull else { return nil }
      key.append((column, value))
    }
    return text(entity.table, key)
  }
}
