import JSON

extension MultiLineText.Node {
  /// The node as AEM gives it; renderers take a node with `content` for a block.
  var json: JSONValue {
    var object: JSONObject = ["nodeType": .string(kind.rawValue)]
    if let style { object["style"] = .string(style) }
    if let target { object["data"] = .object(target.json) }
    switch kind {
    case .text, .link, .codeBlock: object["value"] = .string(value)
    case .reference: object["value"] = value.isEmpty ? nil : .string(value)
    default: object["content"] = .array(content.map(\.json))
    }
    let names = MultiLineText.Variants.named.filter { variants.contains($0.variant) }.map { JSONValue.string($0.name) }
    if !names.isEmpty { object["format"] = ["variants": .array(names)] }
    return .object(object)
  }
}

extension MultiLineText.Target {
  fileprivate var json: JSONObject {
    var object = JSONObject()
    for (name, value) in [
      ("href", href), ("type", type), ("path", path), ("mimetype", mimetype), ("alt", alternative),
    ] { object[name] = value.map { .string($0) } }
    return object
  }
}
