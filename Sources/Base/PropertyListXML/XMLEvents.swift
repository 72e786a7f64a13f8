import CXML
import PropertyList

/// Hands what the parser finds to the builder, and stops the parser at the first error that leaves no way on.
@safe
final class XMLEvents {
  private let context: xmlParserCtxtPtr
  private let bytes: [UInt8]
  private var builder: PropertyListBuilder
  /// Where in the file the last thing ended that was understood.
  private var understood = 0

  /// - Parameters:
  ///   - context: of the parser, which outlives this value.
  ///   - bytes: what the parser reads.
  init(_ context: xmlParserCtxtPtr, of bytes: [UInt8], limits: PropertyListLimits) {
    unsafe self.context = unsafe context
    self.bytes = bytes
    builder = PropertyListBuilder(limits: limits)
  }

  /// What came of the file, once it is parsed.
  var outcome: XMLPropertyListReader.Outcome {
    if let root = builder.root, builder.errors.isEmpty, unsafe context.pointee.wellFormed == 1 { return .value(root) }
    if !builder.errors.isEmpty { return .errors(builder.errors) }
    let message = unsafe context.pointee.wellFormed == 1 ? "<plist> holds no value." : "The XML is damaged."
    return .errors([PropertyListError(message, line: line)])
  }

  // MARK: The parser

  /// The functions that the parser calls; those that are absent would load files or keep what is not asked for.
  static var handler: xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
    unsafe handler.internalSubset = { events, name, _, _ in
      unsafe XMLEvents.of(events)?.documentType(unsafe XMLEvents.text(name))
    }
    unsafe handler.startElementNs = { events, name, prefix, _, namespaces, _, _, _, _ in
      let events = unsafe XMLEvents.of(events)
      if unsafe prefix != nil || namespaces > 0 {
        events?.stop("Property lists have no namespaces.")
      } else {
        events?.start(unsafe XMLEvents.text(name))
      }
    }
    unsafe handler.endElementNs = { events, name, _, _ in
      unsafe XMLEvents.of(events)?.end(unsafe XMLEvents.text(name))
    }
    unsafe handler.characters = { events, text, count in
      unsafe XMLEvents.of(events)?.characters(unsafe UnsafeBufferPointer(start: text, count: Int(count)))
    }
    unsafe handler.ignorableWhitespace = unsafe handler.characters
    unsafe handler.cdataBlock = unsafe handler.characters
    unsafe handler.comment = { events, _ in unsafe XMLEvents.of(events)?.advance() }
    unsafe handler.processingInstruction = { events, _, _ in
      unsafe XMLEvents.of(events)?.stop("Property lists have no processing instructions.")
    }
    unsafe handler.serror = { events, error in
      guard let error = unsafe error?.pointee, unsafe error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
      unsafe XMLEvents.of(events)?.fault(unsafe Int(error.code))
    }
    return unsafe handler
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLEvents? {
    unsafe pointer.map { unsafe Unmanaged<XMLEvents>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func text(_ pointer: UnsafePointer<xmlChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }

  /// The line that the parser has come to.
  private var line: Int { unsafe max(1, Int(context.pointee.input?.pointee.line ?? 1)) }

  /// What stands where the parser has come to.
  private var next: UInt8 { unsafe context.pointee.input?.pointee.cur?.pointee ?? 0 }

  private func stopIfNeeded() { if builder.isStopped { unsafe xmlStopParser(context) } }

  // MARK: Events

  private func advance() {
    guard let input = unsafe context.pointee.input else { return }
    understood = unsafe Int(input.pointee.consumed) + (input.pointee.cur - input.pointee.base)
  }

  private func documentType(_ name: String) {
    if next == UInt8(ascii: "[") {
      stop("The document type declares entities, which are not allowed.")
    } else if name != "plist" {
      stop("The document type is not plist.")
    }
    advance()
  }

  private func start(_ name: String) {
    builder.start(name, line: line)
    advance()
    stopIfNeeded()
  }

  private func end(_ name: String) {
    builder.end(name)
    advance()
    stopIfNeeded()
  }

  private func characters(_ text: UnsafeBufferPointer<UInt8>) {
    unsafe builder.characters(String(decoding: text, as: UTF8.self), endingIn: line)
    advance()
    stopIfNeeded()
  }

  private func stop(_ message: String, line: Int? = nil) {
    builder.stop(message, line: line ?? self.line)
    stopIfNeeded()
  }

  // MARK: Errors

  /// Something that is no XML.
  private func fault(_ code: Int) {
    guard !builder.isStopped else { return }
    if let (what, mark) = Self.unfinished[code] {
      stop("The \(what) that begins here does not end.", line: lineOfNext(mark))
    } else {
      stop("The XML is damaged: \(Self.reason(code)).")
    }
  }

  /// What does not end, by libxml2's number of the error, and how it begins.
  private static let unfinished: [Int: (what: String, mark: String)] = [
    45: ("comment", "<!--"), 47: ("processing instruction", "<?"), 61: ("document type", "<!DOCTYPE"),
    63: ("CDATA section", "<![CDATA["),
  ]

  /// The line in which a mark stands, the first one behind what was understood.
  private func lineOfNext(_ mark: String) -> Int {
    let mark = Array(mark.utf8)
    let start = min(understood, bytes.count)
    let found = bytes[start...].indices.first { bytes[$0...].starts(with: mark) } ?? start
    return 1 + bytes[..<found].count { $0 == 0x0A }
  }

  /// The commonest of libxml2's error numbers in words.
  private static func reason(_ code: Int) -> String {
    switch code {
    case 4: "there is no element"
    case 5: "it ends too early, or has data after its end"
    case 9: "a character is not allowed"
    case 26, 27, 68: "& or < is not escaped, or an entity is not known"
    case 38, 39, 41, 65: "an attribute or a tag is not written correctly"
    case 42: "an attribute occurs twice"
    case 46, 64: "a processing instruction, or the XML declaration, is not written correctly"
    case 73, 74, 76, 77: "a tag is not closed, or closed in the wrong order"
    case 89: "there is more after the end of the document"
    default: "error \(code) of the XML parser"
    }
  }
}
