import CXML

/// Reads HTML: libxml2 finds the elements, and what they become is decided here.
///
/// Nothing is loaded, no entity is declared, and the bytes are UTF-8 whatever they say themselves.
enum HTMLReader {
  /// Once for the process; libxml2 asks for it before several threads use it.
  private static let isReady: Void = xmlInitParser()

  static func nodes(
    of text: String, limits: MultiLineTextLimits
  ) throws(MultiLineTextError) -> [MultiLineText.Node] {
    if text.utf8.count > limits.size { throw .tooLarge(limits.size) }
    var builder = TreeBuilder(limits: limits, collapses: true)
    try read(text.cleaned, into: &builder)
    return try builder.finish()
  }

  /// Reads text that is clean and of a bounded length; what it begins, it ends.
  static func read(_ text: String, into builder: inout TreeBuilder) throws(MultiLineTextError) {
    let bytes = Array(text.utf8)
    if bytes.isEmpty { return }
    try HTMLGuard.check(bytes)
    _ = isReady
    guard let context = unsafe htmlNewParserCtxt() else {
      throw MultiLineTextError("There is no memory for the HTML parser.", recovery: "Try again later.")
    }
    defer { unsafe htmlFreeParserCtxt(context) }
    let mark = builder.frames.count
    let events = unsafe HTMLEvents(context, builder)
    withExtendedLifetime(events) {
      unsafe context.pointee.sax.pointee = HTMLEvents.handler
      unsafe context.pointee.userData = Unmanaged.passUnretained(events).toOpaque()
      let options =
        HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
        | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOIMPLIED.rawValue | HTML_PARSE_NODEFDTD.rawValue
        | HTML_PARSE_IGNORE_ENC.rawValue
      let document = unsafe bytes.withUnsafeBytes { buffer in
        unsafe htmlCtxtReadMemory(
          context, buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count), nil, "UTF-8", Int32(options))
      }
      if let document = unsafe document { unsafe xmlFreeDoc(document) }
    }
    builder = events.builder
    if let error = events.error { throw error }
    try builder.endLink()
    try builder.close(mark)
    try builder.endLine()
  }
}
