/// Looks at Markdown before the parser sees it, for what takes the parser time or memory out of proportion to the text.
///
/// The versions of cmark-gfm that Debian has look for the end of some things from each beginning anew, fill rows of
/// tables up, and copy the address of a definition to each of its uses. Nothing that is written for readers comes near
/// to these limits.
struct MarkdownGuard {
  private static let longestWord = 8 << 10
  private static let columns = 256
  private static let cells = 50_000
  private static let openings = 1_000
  private static let copied = 8 << 20

  private let bytes: [UInt8]
  private var word = 0
  private var pipes = 0
  private var openings = 0
  private var brackets = 0
  private var longestDefinition = 0
  private var blockStart = 0
  private var blockHasDefinition = false
  private var blockLines = 0
  private var blockColumns = 0
  private var allCells = 0
  private var isBlank = true

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func check(_ bytes: [UInt8]) throws(MultiLineTextError) {
    var check = MarkdownGuard(bytes)
    for (offset, byte) in bytes.enumerated() { try check.take(byte, at: offset) }
    try check.endBlock(at: bytes.count)
    if check.longestDefinition.multipliedReportingOverflow(by: check.brackets).partialValue > copied {
      throw MultiLineTextError(
        "The text has long definitions of links and very many brackets.",
        recovery: "Write the addresses where the links are.")
    }
  }

  private mutating func take(_ byte: UInt8, at offset: Int) throws(MultiLineTextError) {
    switch byte {
    case 0x0A: try endLine(at: offset)
    case 0x20, 0x09: word = 0
    default:
      isBlank = false
      word += 1
      if word > Self.longestWord { throw refusal("A word is longer than \(Self.longestWord / 1024) KiB.", offset) }
    }
    switch byte {
    case UInt8(ascii: "|"):
      pipes += 1
      if pipes > Self.columns { throw refusal("A line has more than \(Self.columns) bars (|).", offset) }
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      guard offset > 0, bytes[offset - 1] == UInt8(ascii: "<") else { break }
      openings += 1
      if openings > Self.openings {
        throw refusal("The text has more than \(Self.openings) declarations and comments of HTML.", offset)
      }
    case UInt8(ascii: "]"): brackets += 1
    case UInt8(ascii: ":"): if offset > 0, bytes[offset - 1] == UInt8(ascii: "]") { blockHasDefinition = true }
    default: break
    }
  }

  private mutating func endLine(at offset: Int) throws(MultiLineTextError) {
    if isBlank {
      try endBlock(at: offset)
    } else {
      blockLines += 1
      blockColumns = max(blockColumns, pipes + 1)
    }
    (word, pipes, isBlank) = (0, 0, true)
  }

  /// A table and a definition end at a blank line, or before.
  private mutating func endBlock(at offset: Int) throws(MultiLineTextError) {
    if blockHasDefinition { longestDefinition = max(longestDefinition, offset - blockStart) }
    if blockColumns > 2 { allCells += blockColumns * blockLines }
    if allCells > Self.cells { throw refusal("Tables have more than \(Self.cells) cells.", offset) }
    (blockStart, blockHasDefinition, blockLines, blockColumns) = (offset, false, 0, 0)
  }

  private func refusal(_ message: String, _ offset: Int) -> MultiLineTextError {
    MultiLineTextError(
      message, recovery: "Divide what is there into several lines or texts.", line: String.line(of: offset, in: bytes))
  }
}
