import CMarkdown

/// Walks over what cmark-gfm found, from the beginning of the text to its end, and builds the tree.
struct MarkdownWalk {
  private typealias CNode = OpaquePointer

  private var builder: TreeBuilder
  /// The ends of the open blocks.
  private var marks: [Int] = []
  private var styles = StyleCounts()
  /// The address of the picture that is being read, the text in it, and how many are nested.
  private var picture: (address: String, text: String, depth: Int)?
  private var isHead = false

  init(limits: MultiLineTextLimits) { builder = TreeBuilder(limits: limits, collapses: true) }

  mutating func nodes(of document: OpaquePointer) throws(MultiLineTextError) -> [MultiLineText.Node] {
    guard let iterator = unsafe cmark_iter_new(document) else { return [] }
    defer { unsafe cmark_iter_free(iterator) }
    while true {
      let event = unsafe cmark_iter_next(iterator)
      if event == CMARK_EVENT_DONE { break }
      guard let node = unsafe cmark_iter_get_node(iterator) else { continue }
      let line = unsafe Int(cmark_node_get_start_line(node))
      if line > 0 { builder.line = line }
      try unsafe take(node, isEntering: event == CMARK_EVENT_ENTER)
    }
    return try builder.finish()
  }

  private static func string(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }

  private mutating func take(_ node: CNode, isEntering: Bool) throws(MultiLineTextError) {
    let type = unsafe Self.string(cmark_node_get_type_string(node))
    if picture != nil, try unsafe takeInPicture(node, type, isEntering: isEntering) { return }
    switch type {
    case "document": return
    case "emph": styles.set(.italic, isEntering)
    case "strong": styles.set(.bold, isEntering)
    case "strikethrough": styles.set(.strikethrough, isEntering)
    case "link":
      if isEntering {
        try builder.beginLink(unsafe Self.string(cmark_node_get_url(node)))
      } else {
        try builder.endLink()
      }
    case "image": picture = unsafe (Self.string(cmark_node_get_url(node)), "", 1)
    default:
      if try unsafe takeLeaf(node, type) { return }
      if isEntering { try unsafe open(node, type) } else { try close() }
    }
  }

  // MARK: Blocks

  private mutating func open(_ node: CNode, _ type: String) throws(MultiLineTextError) {
    switch type {
    case "paragraph" where unsafe Self.isTight(node): marks.append(.max)
    case "heading": marks.append(try builder.open(.header, style: "h\(unsafe cmark_node_get_heading_level(node))"))
    case "block_quote": marks.append(try builder.open(.blockQuote))
    case "list":
      let isOrdered = unsafe cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
      marks.append(try builder.open(isOrdered ? .orderedList : .unorderedList))
    case "item": marks.append(try builder.open(.listItem))
    case "table": marks.append(try builder.open(.table))
    case "table_header", "table_row":
      isHead = type == "table_header"
      marks.append(try builder.open(.tableRow))
    case "table_cell": marks.append(try builder.open(.tableData, style: isHead ? "th" : nil))
    default: marks.append(try builder.open(.paragraph))
    }
  }

  private mutating func close() throws(MultiLineTextError) {
    styles = StyleCounts()
    guard let mark = marks.popLast() else { return }
    if mark == .max { try builder.endLine() } else { try builder.close(mark) }
  }

  /// Whether the paragraph is an item's in a list without blank lines: such are shown without space around them.
  private static func isTight(_ node: CNode) -> Bool {
    guard let item = unsafe cmark_node_parent(node), let list = unsafe cmark_node_parent(item) else { return false }
    return unsafe cmark_node_get_type(list) == CMARK_NODE_LIST && cmark_node_get_list_tight(list) == 1
  }

  // MARK: Leaves

  /// Whether it was a leaf.
  private mutating func takeLeaf(_ node: CNode, _ type: String) throws(MultiLineTextError) -> Bool {
    let literal = unsafe Self.string(cmark_node_get_literal(node))
    switch type {
    case "text": try builder.text(literal, styles.variants)
    case "softbreak": try builder.text(" ", styles.variants)
    case "linebreak": try builder.piece(MultiLineText.Node(.lineBreak))
    case "code": try builder.text(literal, styles.variants.union(.code))
    case "html_inline": try takeTag(literal)
    case "html_block": try HTMLReader.read(literal, into: &builder)
    case "thematic_break":
      let mark = try builder.open(.horizontalRule)
      try builder.close(mark)
    case "code_block":
      let mark = try builder.open(.codeBlock)
      try builder.text(literal.hasSuffix("\n") ? String(literal.dropLast()) : literal)
      try builder.close(mark)
    default: return false
    }
    return true
  }

  /// A tag among words: those without attributes that set text in some way count, and all others are left out.
  private mutating func takeTag(_ literal: String) throws(MultiLineTextError) {
    let isEnd = literal.hasPrefix("</")
    let name = literal.dropFirst(isEnd ? 2 : 1).prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    if name == "br" { return try builder.piece(MultiLineText.Node(.lineBreak)) }
    if let variants = MultiLineText.Variants.ofElement(name) { styles.set(variants, !isEnd) }
  }

  /// Collects the text of a picture. Whether the node was part of one.
  private mutating func takeInPicture(
    _ node: CNode, _ type: String, isEntering: Bool
  ) throws(MultiLineTextError) -> Bool {
    if type == "image" {
      picture?.depth += isEntering ? 1 : -1
      guard let found = picture, found.depth == 0 else { return true }
      picture = nil
      let text = found.text
      if let picture = MultiLineText.Node.picture(at: found.address, alternative: text) {
        try builder.piece(picture)
      } else {
        try builder.text(text, styles.variants)
      }
    } else if type == "softbreak" || type == "linebreak" {
      picture?.text += " "
    } else if type == "text" || type == "code" {
      unsafe picture?.text += Self.string(cmark_node_get_literal(node))
    }
    return true
  }
}

/// The number of open marks of each variant.
struct StyleCounts {
  private var counts: [UInt8: Int] = [:]

  /// Begins or ends one.
  mutating func set(_ variant: MultiLineText.Variants, _ begins: Bool) {
    counts[variant.rawValue] = max(0, (counts[variant.rawValue] ?? 0) + (begins ? 1 : -1))
  }

  /// All that have begun.
  var variants: MultiLineText.Variants {
    MultiLineText.Variants(counts.filter { $0.value > 0 }.map { MultiLineText.Variants(rawValue: $0.key) })
  }
}
