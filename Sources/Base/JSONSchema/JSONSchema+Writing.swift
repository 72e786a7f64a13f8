public import JSON

/// The form that files have.
extension JSONSchema {
  /// The schema's JSON form.
  public var json: JSONValue {
    if isNothing { return false }
    var object = JSONObject()
    if let summary { object["description"] = .string(summary) }
    if let reference { object["$ref"] = .string(Self.pointer(to: reference)) }
    if let kind = kinds.first {
      object["type"] = kinds.count == 1 ? .string(kind.rawValue) : .array(kinds.map { .string($0.rawValue) })
    }
    writeValues(&object)
    writeObject(&object)
    if let items = items.first { object["items"] = items.json }
    object["minimum"] = minimum
    object["maximum"] = maximum
    for (keyword, count) in counts { object[keyword] = count.map { .integer(Int64($0)) } }
    if !anyOf.isEmpty { object["anyOf"] = .array(anyOf.map(\.json)) }
    if !oneOf.isEmpty { object["oneOf"] = .array(oneOf.map(\.json)) }
    return .object(object)
  }

  private func writeValues(_ object: inout JSONObject) {
    guard let values else { return }
    if let only = values.first, values.count == 1 {
      object["const"] = only
    } else {
      object["enum"] = .array(values)
    }
  }

  private func writeObject(_ object: inout JSONObject) {
    if !members.isEmpty {
      object["properties"] = .object(JSONObject(members.map { ($0.name, $0.schema.json) }))
    }
    if !required.isEmpty { object["required"] = .array(required.map { .string($0) }) }
    switch additional {
    case .anything: break
    case .none: object["additionalProperties"] = false
    case .values(let schema): object["additionalProperties"] = schema.json
    }
  }

  private var counts: [(String, Int?)] {
    [("minLength", minLength), ("maxLength", maxLength), ("minItems", minItems), ("maxItems", maxItems)]
  }

  /// `#/$defs/NAME`, with the name as JSON Pointer (RFC 6901) writes it.
  static func pointer(to name: String) -> String {
    "#/$defs/" + name.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }

  /// The name that a pointer ends in; `nil` when it points elsewhere.
  static func name(of pointer: String) -> String? {
    let beginning = "#/$defs/"
    guard pointer.hasPrefix(beginning) else { return nil }
    var name = ""
    var rest = pointer.dropFirst(beginning.count)
    while let next = rest.popFirst() {
      guard next == "~" else {
        if next == "/" { return nil }
        name.append(next)
        continue
      }
      switch rest.popFirst() {
      case "0": name.append("~")
      case "1": name.append("/")
      default: return nil
      }
    }
    return name.isEmpty ? nil : name
  }
}

extension SchemaDefinitions {
  /// The value of `$defs`, in the order of names.
  public var json: JSONValue {
    .object(JSONObject(named.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
  }
}
