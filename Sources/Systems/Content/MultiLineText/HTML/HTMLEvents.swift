import CXML

/// Hands what the parser finds to the builder, and stops the parser at the first error.
@safe
final class HTMLEvents {
  /// The deepest nesting of elements, including elements that do not appear in the tree.
  private static let depth = 250

  private let context: htmlParserCtxtPtr
  private(set) var builder: TreeBuilder
  private(set) var error: MultiLineTextError?
  /// The elements that have begun and not ended.
  private var elements: [Element] = []
  private var styles = StyleCounts()
  /// The number of open elements whose text readers do not see.
  private var hidden = 0

  private struct Element {
    let name: String
    let end: End
  }

  private enum End {
    case block(Int), line, link, style(MultiLineText.Variants), hidden, nothing
  }

  /// Creates the receiver of a parser's events.
  ///
  /// - Parameter context: the parser, which has to outlive this value.
  init(_ context: htmlParserCtxtPtr, _ builder: TreeBuilder) {
    unsafe self.context = unsafe context
    self.builder = builder
  }

  /// The functions that the parser calls; those that are absent would load files or build a tree.
  static var handler: htmlSAXHandler {
    var handler = unsafe htmlSAXHandler()
    unsafe handler.startElement = { events, name, attributes in
      guard let events = unsafe HTMLEvents.of(events), let name = unsafe name else { return }
      events.attempt { () throws(MultiLineTextError) in
        try events.start(unsafe String(cString: name).lowercased(), unsafe HTMLEvents.dictionary(attributes))
      }
    }
    unsafe handler.endElement = { events, name in
      guard let events = unsafe HTMLEvents.of(events), let name = unsafe name else { return }
      events.attempt { () throws(MultiLineTextError) in try events.end(unsafe String(cString: name).lowercased()) }
    }
    unsafe handler.characters = { events, text, count in
      guard let events = unsafe HTMLEvents.of(events), count > 0 else { return }
      let text = unsafe String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
      events.attempt { () throws(MultiLineTextError) in try events.characters(text) }
    }
    unsafe handler.ignorableWhitespace = unsafe handler.characters
    return unsafe handler
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> HTMLEvents? {
    unsafe pointer.map { unsafe Unmanaged<HTMLEvents>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The attributes, of names and values by turns, up to the first name that is absent.
  private static func dictionary(_ pointer: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) -> [String: String] {
    var found: [String: String] = [:]
    guard let pointer = unsafe pointer else { return found }
    var index = 0
    while let name = unsafe pointer[index] {
      let value = unsafe pointer[index + 1].map { unsafe String(cString: $0) } ?? ""
      let name = unsafe String(cString: name).lowercased()
      if found[name] == nil { found[name] = value.cleaned }
      index += 2
    }
    return found
  }

  private func attempt(_ body: () throws(MultiLineTextError) -> Void) {
    guard error == nil else { return }
    builder.line = unsafe max(1, Int(context.pointee.input?.pointee.line ?? 1))
    do throws(MultiLineTextError) {
      try body()
    } catch {
      self.error = error
      unsafe xmlStopParser(context)
    }
  }

  // MARK: Events

  private func start(_ name: String, _ attributes: [String: String]) throws(MultiLineTextError) {
    if elements.count >= Self.depth { throw .tooDeep(Self.depth, line: builder.line) }
    elements.append(Element(name: name, end: hidden > 0 ? .nothing : try begin(name, attributes)))
  }

  private func begin(_ name: String, _ attributes: [String: String]) throws(MultiLineTextError) -> End {
    if let kind = HTMLElements.block(name) {
      return .block(try builder.open(kind, style: HTMLElements.style(name)))
    }
    if let variants = MultiLineText.Variants.ofElement(name) {
      styles.set(variants, true)
      return .style(variants)
    }
    switch name {
    case "a":
      guard let href = attributes["href"] else { return .nothing }
      try builder.beginLink(href)
      return .link
    case "br": try builder.piece(MultiLineText.Node(.lineBreak))
    case "img":
      let alternative = attributes["alt"] ?? ""
      if let picture = MultiLineText.Node.picture(at: attributes["src"] ?? "", alternative: alternative) {
        try builder.piece(picture)
      } else {
        try builder.text(alternative, styles.variants)
      }
    case _ where HTMLElements.hidden.contains(name):
      hidden += 1
      return .hidden
    case _ where HTMLElements.lines.contains(name):
      try builder.endLine()
      return .line
    default: break
    }
    return .nothing
  }

  private func end(_ name: String) throws(MultiLineTextError) {
    // What ends is the innermost element of that name; what has not ended in it ends too.
    guard elements.contains(where: { $0.name == name }) else { return }
    while let element = elements.popLast() {
      switch element.end {
      case .block(let mark): try builder.close(mark)
      case .line: try builder.endLine()
      case .link: try builder.endLink()
      case .style(let variants): styles.set(variants, false)
      case .hidden: hidden -= 1
      case .nothing: break
      }
      if element.name == name { return }
    }
  }

  private func characters(_ text: String) throws(MultiLineTextError) {
    if hidden == 0 { try builder.text(text, styles.variants) }
  }
}
