extension TreeBuilder {
  private var last: Int { frames.count - 1 }

  /// Adds text to the line, or to the code, that has begun; else it begins a line.
  mutating func text(_ text: String, _ variants: MultiLineText.Variants = []) throws(MultiLineTextError) {
    if top.kind == .codeBlock {
      frames[last].code += text
      return
    }
    let isBlank = text.utf8.allSatisfy(Self.isSpace)
    if isBlank, !top.isLine, !top.holdsBoth, collapses || top.kind != nil { return }
    if text.isEmpty { return }
    try beginPiece()
    let kept = collapses ? collapsed(text) : text
    if kept.isEmpty { return }
    if link != nil {
      link?.text += kept
      let others = link?.variants ?? variants
      if !isBlank { link?.variants = others.intersection(variants) }
      return
    }
    if let piece = top.content.last, piece.kind == .text, piece.variants == variants {
      frames[last].content[top.content.count - 1].value += kept
    } else {
      try note()
      frames[last].content.append(Node(.text, value: kept, variants: variants))
    }
  }

  /// Adds another piece to the line that has begun, or begins one with it.
  mutating func piece(_ node: Node) throws(MultiLineTextError) {
    if top.kind == .codeBlock {
      frames[last].code += node.kind == .lineBreak ? "\n" : node.value
      return
    }
    try flushLink()
    try beginPiece()
    let isAtStart = top.content.last?.kind.isInline != true
    if node.kind == .lineBreak, collapses, isAtStart { return }
    if node.kind == .lineBreak, collapses, let piece = top.content.last, piece.kind == .text {
      let kept = piece.value.utf8.last == 0x20 ? piece.value.withoutLastByte : piece.value
      frames[last].content[top.content.count - 1].value = kept
      if kept.isEmpty { frames[last].content.removeLast() }
    }
    try note()
    frames[last].content.append(node)
  }

  /// Starts a link: text up to ``endLink()`` belongs to the link.
  mutating func beginLink(_ address: String) throws(MultiLineTextError) {
    try flushLink()
    link = OpenLink(address: address)
  }

  mutating func endLink() throws(MultiLineTextError) {
    try flushLink()
    link = nil
  }

  /// Puts the link as far as it has come into the line; it may go on behind a picture or in the next block.
  mutating func flushLink() throws(MultiLineTextError) {
    guard let open = link, !open.text.isEmpty else { return }
    link = nil
    defer { link = OpenLink(address: open.address) }
    let variants = open.variants ?? []
    let end = collapses && open.text.utf8.last == 0x20
    let text = end ? open.text.withoutLastByte : open.text
    guard !text.isEmpty, let node = Node.link(to: open.address, text: text, variants: variants) else {
      return try self.text(open.text, variants)
    }
    try note()
    frames[last].content.append(node)
    if end { try self.text(" ") }
  }

  private mutating func beginPiece() throws(MultiLineTextError) {
    try makeRoom(for: .text)
    guard top.hasPendingBreak else { return }
    frames[last].hasPendingBreak = false
    try note()
    frames[last].content.append(Node(.lineBreak))
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0x0C
  }

  /// The text with one space for each run of them, and none where a line begins or one is already.
  private func collapsed(_ text: String) -> String {
    var isAfterSpace = isAfterSpace
    var kept: [UInt8] = []
    kept.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      let isSpace = Self.isSpace(byte)
      if !isSpace { kept.append(byte) } else if !isAfterSpace { kept.append(0x20) }
      isAfterSpace = isSpace
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private var isAfterSpace: Bool {
    if let text = link?.text, let byte = text.utf8.last { return byte == 0x20 }
    guard let piece = top.content.last, piece.kind.isInline else { return true }
    return piece.kind == .lineBreak || (piece.kind == .text && piece.value.utf8.last == 0x20)
  }
}
