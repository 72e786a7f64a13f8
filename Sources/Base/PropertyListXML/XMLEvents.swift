import CExpat
import PropertyList

/// Hands what the parser finds to the builder, and stops the parser at the first error that leaves no way on.
@safe
final class XMLEvents {
  private let parser: XML_Parser
  private let bytes: [UInt8]
  private var builder: PropertyListBuilder
  /// Where in the file the last thing ended that was understood.
  private var understood = 0
  /// The line in which the last CDATA section began.
  private var lineOfSection: Int?

  /// - Parameters:
  ///   - parser: outlives this value.
  ///   - bytes: what the parser is to read.
  init(_ parser: XML_Parser, of bytes: [UInt8], limits: PropertyListLimits) {
    unsafe self.parser = unsafe parser
    self.bytes = bytes
    builder = PropertyListBuilder(limits: limits)
  }

  /// Has the parser read the whole file, and returns what came of it.
  func run() -> XMLPropertyListReader.Outcome {
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    listen()
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe XML_Parse(parser, buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count), 1)
    }
    if status == XML_STATUS_ERROR { fault(unsafe XML_GetErrorCode(parser)) }
    if !builder.errors.isEmpty { return .errors(builder.errors) }
    if let root = builder.root { return .value(root) }
    return .errors([PropertyListError("<plist> holds no value.", line: line)])
  }

  // MARK: The parser

  /// Sets the functions that the parser calls. Those that are absent would load files or declare entities.
  private func listen() {
    unsafe XML_SetElementHandler(
      parser,
      { events, name, _ in unsafe XMLEvents.of(events)?.start(XMLEvents.text(name)) },
      { events, name in unsafe XMLEvents.of(events)?.end(XMLEvents.text(name)) })
    unsafe XML_SetCharacterDataHandler(parser) { events, text, count in
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
      unsafe XMLEvents.of(events)?.characters(String(decoding: bytes, as: UTF8.self))
    }
    unsafe XML_SetStartNamespaceDeclHandler(parser) { events, _, _ in
      unsafe XMLEvents.of(events)?.stop(XMLEvents.namespaces)
    }
    unsafe XML_SetStartCdataSectionHandler(parser) { events in unsafe XMLEvents.of(events)?.section() }
    unsafe XML_SetXmlDeclHandler(parser) { events, _, _, _ in unsafe XMLEvents.of(events)?.advance() }
    unsafe XML_SetCommentHandler(parser) { events, _ in unsafe XMLEvents.of(events)?.advance() }
    unsafe XML_SetProcessingInstructionHandler(parser) { events, _, _ in
      unsafe XMLEvents.of(events)?.stop("Property lists have no processing instructions.")
    }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { events, name, _, _, declares in
      unsafe XMLEvents.of(events)?.documentType(XMLEvents.text(name), declares: declares != 0)
    }
    // The document type names a file, which is not read: so the parser takes it that an entity may be declared there.
    unsafe XML_SetSkippedEntityHandler(parser) { events, _, _ in
      unsafe XMLEvents.of(events)?.fault(XML_ERROR_UNDEFINED_ENTITY)
    }
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLEvents? {
    unsafe pointer.map { unsafe Unmanaged<XMLEvents>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }

  /// The line in which begins what the parser has come to.
  private var line: Int { unsafe max(1, Int(clamping: XML_GetCurrentLineNumber(parser))) }

  private func stopIfNeeded() { if builder.isStopped { _ = unsafe XML_StopParser(parser, 0) } }

  // MARK: Events

  private func advance() {
    let end = unsafe Int(XML_GetCurrentByteIndex(parser)) + Int(XML_GetCurrentByteCount(parser))
    understood = min(bytes.count, max(understood, end))
  }

  private func documentType(_ name: String, declares: Bool) {
    if declares {
      stop("The document type declares entities, which are not allowed.")
    } else if name != "plist" {
      stop("The document type is not plist.")
    }
    advance()
  }

  private func start(_ name: String) {
    // The parser puts a namespace before a name, with the colon that no name has.
    if name.utf8.contains(UInt8(ascii: ":")) { return stop(Self.namespaces) }
    builder.start(name, line: line)
    advance()
    stopIfNeeded()
  }

  private func end(_ name: String) {
    builder.end(name)
    advance()
    stopIfNeeded()
  }

  private func characters(_ text: String) {
    builder.characters(text, line: line)
    advance()
    stopIfNeeded()
  }

  private func section() {
    lineOfSection = line
    advance()
  }

  private func stop(_ message: String, line: Int? = nil) {
    builder.stop(message, line: line ?? self.line)
    stopIfNeeded()
  }

  // MARK: Errors

  private static let namespaces = "Property lists have no namespaces."

  /// Something that is no XML.
  private func fault(_ code: XML_Error) {
    guard !builder.isStopped else { return }
    if code == XML_ERROR_UNBOUND_PREFIX { return stop(Self.namespaces) }
    if code == XML_ERROR_UNCLOSED_CDATA_SECTION {
      return stop("The CDATA section that begins here does not end.", line: lineOfSection)
    }
    if code == XML_ERROR_UNCLOSED_TOKEN || code == XML_ERROR_NO_ELEMENTS, let (what, line) = unfinished() {
      return stop("The \(what) that begins here does not end.", line: line)
    }
    stop("The XML is damaged: \(Self.reason(code)).")
  }

  /// What begins behind what was understood and does not end, and the line in which it begins.
  private func unfinished() -> (what: String, line: Int)? {
    guard let begin = bytes[understood...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
    let marks = [("<!--", "comment"), ("<?", "processing instruction"), ("<!DOCTYPE", "document type")]
    let mark = marks.first { bytes[begin...].starts(with: $0.0.utf8) }
    return mark.map { ($0.1, 1 + bytes[..<begin].count { $0 == 0x0A }) }
  }

  /// The commonest of the parser's errors in words.
  private static func reason(_ code: XML_Error) -> String {
    switch code {
    case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR: "it ends too early"
    case XML_ERROR_INVALID_TOKEN, XML_ERROR_SYNTAX:
      "a tag or an attribute is not written correctly, & or < is not escaped, or a character is not allowed"
    case XML_ERROR_UNDEFINED_ENTITY: "an entity is not known"
    case XML_ERROR_BAD_CHAR_REF: "a character is not allowed"
    case XML_ERROR_DUPLICATE_ATTRIBUTE: "an attribute occurs twice"
    case XML_ERROR_MISPLACED_XML_PI, XML_ERROR_XML_DECL: "the XML declaration is not written correctly"
    case XML_ERROR_TAG_MISMATCH: "a tag is not closed, or closed in the wrong order"
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "there is more after the end of the document"
    default: unsafe text(XML_ErrorString(code))
    }
  }
}
