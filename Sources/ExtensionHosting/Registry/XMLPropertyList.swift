import Foundation
import FoundationXML
import PropertyList

/// Reads the XML form of a property list.
///
/// The bytes are looked at before any parser sees them: only UTF-8, only the standard document type, no entities. Lines
/// are those of the parser's own events.
enum XMLPropertyList {
  /// Errors are never empty when there is no node.
  static func parse(
    _ bytes: [UInt8], limits: PropertyListLimits
  ) -> (node: PropertyListNode?, errors: [PropertyListError]) {
    guard bytes.count <= limits.size else {
      return (nil, [PropertyListError("The file is larger than \(limits.size / 1024) KiB.")])
    }
    if let error = XMLProlog.check(bytes) { return (nil, [error]) }
    let builder = PropertyListBuilder(limits: limits)
    let parser = XMLParser(data: Data(bytes))
    parser.shouldResolveExternalEntities = false
    parser.shouldProcessNamespaces = false
    let events = XMLPropertyListEvents(builder)
    parser.delegate = events
    let completed = parser.parse()
    if events.builder.errors.isEmpty, !completed || events.builder.root == nil {
      let message = completed ? "<plist> holds no value." : "The XML is damaged: it ends too early."
      events.builder.fail(message, line: max(1, parser.lineNumber))
    }
    return (events.builder.errors.isEmpty ? events.builder.root : nil, events.builder.errors)
  }
}

/// Hands the parser's events to the builder, and stops the parser at the first error that leaves no way on.
private final class XMLPropertyListEvents: NSObject, XMLParserDelegate {
  var builder: PropertyListBuilder

  init(_ builder: PropertyListBuilder) { self.builder = builder }

  private func stopIfNeeded(_ parser: XMLParser) { if builder.isStopped { parser.abortParsing() } }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    builder.start(name, line: parser.lineNumber)
    stopIfNeeded(parser)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    builder.end(name)
    stopIfNeeded(parser)
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    builder.characters(text, line: parser.lineNumber)
    stopIfNeeded(parser)
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    builder.characters(String(decoding: block, as: UTF8.self), line: parser.lineNumber)
    stopIfNeeded(parser)
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    guard !builder.isStopped else { return }
    let line = parser.lineNumber
    builder.stop("The XML is damaged: \(XMLPropertyListEvents.reason((error as NSError).code)).", line: line)
  }

  /// The commonest of libxml2's error numbers in words.
  private static func reason(_ code: Int) -> String {
    switch code {
    case 4: "there is no element"
    case 5: "it ends too early, or goes on after its end"
    case 9: "a character is not allowed"
    case 26, 68: "& or < stands by itself, or an entity is not known"
    case 38, 39, 41, 65: "an attribute or a tag is not written correctly"
    case 73, 74, 76, 77: "a tag is not closed, or closed in the wrong order"
    case 89: "there is more after the end of the document"
    default: "error \(code) of the XML parser"
    }
  }
}
