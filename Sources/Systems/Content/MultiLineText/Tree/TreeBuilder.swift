/// Builds a tree of what a reader finds, in the order of the text, and keeps its promises whatever comes: what stands
/// where it may not gets what it needs around it, what has no content is left out, and the limits hold.
struct TreeBuilder {
  typealias Node = MultiLineText.Node
  typealias Kind = MultiLineText.Kind

  /// A node that has begun and not ended; the first one, without a kind, is the text.
  struct Frame {
    let kind: Kind?
    let style: String?
    /// Whether the builder added the block itself. Such a block ends before a node that the block cannot contain.
    let isImplicit: Bool
    var content: [Node] = []
    var code = ""
    /// Whether a line ended here. It becomes a line break as soon as more text follows.
    var hasPendingBreak = false

    var isLine: Bool { kind == .paragraph || kind == .header }
    /// Whether it holds lines and blocks.
    var holdsBoth: Bool { kind == .listItem || kind == .tableData }
    var isList: Bool { kind == .unorderedList || kind == .orderedList }
  }

  /// A link whose text the reader has not finished.
  struct OpenLink {
    let address: String
    var text = ""
    var variants: MultiLineText.Variants?
  }

  let limits: MultiLineTextLimits
  /// Whether spaces and line ends are one space, and none at the beginning and end of lines.
  let collapses: Bool
  var frames = [Frame(kind: nil, style: nil, isImplicit: false)]
  var link: OpenLink?
  private var count = 0
  /// The line that the reader has reached, for errors.
  var line: Int?

  init(limits: MultiLineTextLimits, collapses: Bool) {
    self.limits = limits
    self.collapses = collapses
  }

  var top: Frame {
    get { frames[frames.count - 1] }
    set { frames[frames.count - 1] = newValue }
  }

  // MARK: Blocks

  /// Begins a block; what it gives back ends it.
  mutating func open(
    _ kind: Kind, style: String? = nil, isImplicit: Bool = false
  ) throws(MultiLineTextError) -> Int {
    try makeRoom(for: kind)
    try push(kind, style: style, isImplicit: isImplicit)
    return frames.count - 1
  }

  /// Ends the block that ``open(_:style:isImplicit:)`` gave this for, and what is in it.
  mutating func close(_ mark: Int) throws(MultiLineTextError) {
    while frames.count > max(mark, 1) { try pop() }
  }

  /// Ends the line that text is in, without beginning a block.
  mutating func endLine() throws(MultiLineTextError) {
    if top.isLine { return try pop() }
    try flushLink()
    guard top.holdsBoth else { return }
    endOfLine()
    if top.content.last?.kind.isInline == true { frames[frames.count - 1].hasPendingBreak = true }
  }

  /// Closes all open blocks and returns the tree. The reader has ended its links.
  mutating func finish() throws(MultiLineTextError) -> [Node] {
    try close(1)
    return frames[0].content
  }

  /// Counts a node.
  ///
  /// - Throws: an error when the tree has more nodes than the limit.
  mutating func note() throws(MultiLineTextError) {
    count += 1
    if count > limits.nodes { throw .tooMany(limits.nodes, line: line) }
  }

  mutating func push(_ kind: Kind, style: String? = nil, isImplicit: Bool) throws(MultiLineTextError) {
    try flushLink()
    try note()
    if frames.count > limits.depth { throw .tooDeep(limits.depth, line: line) }
    endOfLine()
    frames.append(Frame(kind: kind, style: style, isImplicit: isImplicit))
  }

  mutating func pop() throws(MultiLineTextError) {
    try flushLink()
    endOfLine()
    guard frames.count > 1, let frame = frames.popLast(), let kind = frame.kind else { return }
    let isKeptEmpty = frame.holdsBoth || kind == .horizontalRule
    if frame.content.isEmpty, frame.code.isEmpty, !isKeptEmpty { return }
    frames[frames.count - 1].content.append(Node(kind, style: frame.style, value: frame.code, content: frame.content))
  }

  /// Removes trailing spaces and line breaks, which no reader sees.
  private mutating func endOfLine() {
    let index = frames.count - 1
    frames[index].hasPendingBreak = false
    guard collapses else { return }
    while let last = frames[index].content.last {
      if last.kind == .lineBreak {
        frames[index].content.removeLast()
      } else if last.kind == .text, last.value.utf8.last == 0x20 {
        let kept = last.value.withoutLastByte
        frames[index].content[frames[index].content.count - 1].value = kept
        if kept.isEmpty { frames[index].content.removeLast() }
      } else {
        return
      }
    }
  }
}

extension String {
  /// The text without a space at its end. The space may be one character with a letter before it, which stays: some signs
  /// of Malayalam and other scripts join with whatever follows them.
  var withoutLastByte: String { String(decoding: utf8.dropLast(), as: UTF8.self) }
}
