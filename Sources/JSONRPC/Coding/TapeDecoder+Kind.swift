/// The kind of a value, for types that hold values of several kinds and must not take one for another.
///
/// A decoder reads `1.0` as an integer where one is asked for, so asking alone cannot tell `1` from `1.0`.
extension TapeDecoder {
  /// Under the key `json.kind`: `object`, `array`, `string`, `integer`, `fraction`, `bool` or `null`.
  var kindInfo: [CodingUserInfoKey: Any] {
    guard storage.isValid, let key = CodingUserInfoKey(rawValue: "json.kind") else { return [:] }
    let kind =
      switch storage.node(index).kind {
      case .object: "object"
      case .array: "array"
      case .string: "string"
      case .integer: "integer"
      case .fraction: "fraction"
      case .yes, .no: "bool"
      case .null: "null"
      }
    return [key: kind]
  }
}
