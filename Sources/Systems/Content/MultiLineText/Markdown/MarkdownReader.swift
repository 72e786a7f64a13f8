import CMarkdown
import Synchronization

/// Reads Markdown: cmark-gfm finds what is what, and what it becomes is decided here.
enum MarkdownReader {
  private static let isReady: Void = cmark_gfm_core_extensions_ensure_registered()
  /// While cmark-gfm parses, the characters that its extensions look for are in a table of the process: one at a time.
  private static let turn = Mutex<Void>(())

  static func nodes(
    of text: String, limits: MultiLineTextLimits
  ) throws(MultiLineTextError) -> [MultiLineText.Node] {
    if text.utf8.count > limits.size { throw .tooLarge(limits.size) }
    let bytes = Array(text.cleaned.utf8)
    try MarkdownGuard.check(bytes)
    _ = isReady
    let address = turn.withLock { _ in unsafe UInt(bitPattern: parsed(bytes)) }
    guard let document = unsafe OpaquePointer(bitPattern: address) else {
      throw MultiLineTextError("There is no memory for the Markdown parser.", recovery: "Try again later.")
    }
    defer { unsafe cmark_node_free(document) }
    var walk = MarkdownWalk(limits: limits)
    return try unsafe walk.nodes(of: document)
  }

  /// Returns the parsed document, which the caller frees.
  private static func parsed(_ bytes: [UInt8]) -> OpaquePointer? {
    guard let parser = unsafe cmark_parser_new(CMARK_OPT_DEFAULT) else { return nil }
    defer { unsafe cmark_parser_free(parser) }
    for name in ["table", "strikethrough", "autolink"] {
      guard let found = unsafe cmark_find_syntax_extension(name) else { continue }
      unsafe cmark_parser_attach_syntax_extension(parser, found)
    }
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe cmark_parser_feed(parser, buffer.bindMemory(to: CChar.self).baseAddress, buffer.count)
    }
    return unsafe cmark_parser_finish(parser)
  }
}
