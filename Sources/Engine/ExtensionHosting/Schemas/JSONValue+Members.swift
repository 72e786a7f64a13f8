package import JSON

/// Members of members, by their names joined by dots, as a `HostCall.Transfer` names them.
extension JSONValue {
  /// The member; `nil` where it, or one on the way, is missing.
  package func member(at path: String) -> JSONValue? {
    path.split(separator: ".").reduce(.some(self)) { value, name in value?[String(name)] }
  }

  /// Writes a member; those on the way that are no objects become some.
  package mutating func setMember(at path: String, to value: JSONValue) {
    setMember(at: path.split(separator: ".")[...], to: value)
  }

  private mutating func setMember(at path: ArraySlice<Substring>, to value: JSONValue) {
    guard let name = path.first else { return self = value }
    var object = objectValue ?? JSONObject()
    var inner = object[String(name)] ?? .null
    inner.setMember(at: path.dropFirst(), to: value)
    object[String(name)] = inner
    self = .object(object)
  }
}
