import JSON

/// Reads the JSON form.
enum TreeReader {
  typealias Node = MultiLineText.Node

  static func nodes(of json: JSONValue, limits: MultiLineTextLimits) throws(MultiLineTextError) -> [Node] {
    guard let values = json.arrayValue else {
      throw MultiLineTextError(
        "The text is \(json.kind), not an array of nodes.", recovery: "Ask for the field json of the text.")
    }
    var builder = TreeBuilder(limits: limits, collapses: false)
    var size = 0
    try add(values, to: &builder, size: &size, path: "", depth: 0)
    return try builder.finish()
  }

  private static func add(
    _ values: [JSONValue], to builder: inout TreeBuilder, size: inout Int, path: String, depth: Int
  ) throws(MultiLineTextError) {
    if depth > builder.limits.depth { throw .tooDeep(builder.limits.depth) }
    for (index, value) in values.enumerated() {
      let place = "\(path)[\(index)]"
      guard let node = value.objectValue, let type = node["nodeType"]?.stringValue else {
        throw MultiLineTextError(
          value.objectValue == nil ? "A node is \(value.kind), not an object." : "A node has no nodeType.",
          recovery: "Write each node as an object with a nodeType, for example paragraph or text.", keyPath: place)
      }
      let text = (node["value"]?.stringValue ?? "").cleaned
      size += text.utf8.count
      if size > builder.limits.size { throw .tooLarge(builder.limits.size) }
      let content = node["content"]?.arrayValue ?? []
      if let kind = kind(type, node), !kind.isInline {
        let mark = try builder.open(kind, style: style(of: kind, node))
        if kind == .codeBlock || content.isEmpty { try builder.text(text) }
        if kind != .horizontalRule {
          try add(content, to: &builder, size: &size, path: "\(place).content", depth: depth + 1)
        }
        try builder.close(mark)
      } else {
        try addPiece(type, node, text, to: &builder)
        try add(content, to: &builder, size: &size, path: "\(place).content", depth: depth + 1)
      }
    }
  }

  private static func addPiece(
    _ type: String, _ node: JSONObject, _ text: String, to builder: inout TreeBuilder
  ) throws(MultiLineTextError) {
    let variants = variants(of: node)
    let data = node["data"]
    let href = data?["href"]?.stringValue
    if type == MultiLineText.Kind.lineBreak.rawValue { return try builder.piece(Node(.lineBreak)) }
    if type == MultiLineText.Kind.reference.rawValue || type == "image", let path = data?["path"]?.stringValue {
      let alternative = (data?["alt"]?.stringValue ?? text).cleaned
      if let picture = Node.picture(
        at: path, alternative: alternative, mimetype: data?["mimetype"]?.stringValue?.cleaned)
      {
        return try builder.piece(picture)
      }
    }
    if let href, !text.isEmpty, let link = Node.link(to: href, text: text, variants: variants) {
      return try builder.piece(link)
    }
    try builder.text(text, variants)
  }

  private static func kind(_ type: String, _ node: JSONObject) -> MultiLineText.Kind? {
    guard type == "list" else { return MultiLineText.Kind(rawValue: type) }
    return node["style"]?.stringValue == "ol" ? .orderedList : .unorderedList
  }

  private static func style(of kind: MultiLineText.Kind, _ node: JSONObject) -> String? {
    let style = node["style"]?.stringValue
    switch kind {
    case .header: return style.flatMap { ["h1", "h2", "h3", "h4", "h5", "h6"].contains($0) ? $0 : nil } ?? "h1"
    case .tableData: return style == "th" ? style : nil
    default: return nil
    }
  }

  private static func variants(of node: JSONObject) -> MultiLineText.Variants {
    let names = node["format"]?["variants"]?.arrayValue?.prefix(20).compactMap(\.stringValue) ?? []
    return MultiLineText.Variants(MultiLineText.Variants.named.filter { names.contains($0.name) }.map(\.variant))
  }
}
