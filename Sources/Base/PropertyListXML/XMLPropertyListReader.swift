import CXML
package import PropertyList

/// Reads the XML form of a property list (Apple's DTD, version 1.0).
///
/// libxml2 finds the elements and their lines; what they mean is decided here. Nothing is loaded and no entity is
/// expanded: a file that declares any is refused, and so is everything else that a property list does not need.
package enum XMLPropertyListReader {
  /// What came of a file: the value, or at least one error.
  package enum Outcome: Sendable {
    /// The value, with the line of everything in it.
    case value(PropertyListNode)
    /// What is wrong, in the order of the file; never empty, at most 50.
    case errors([PropertyListError])
  }

  /// Once for the process; libxml2 asks for it before several threads use it.
  private static let isReady: Void = xmlInitParser()

  /// Parses the bytes of a file. Takes time in proportion to them.
  package static func parse(_ bytes: [UInt8], limits: PropertyListLimits) -> Outcome {
    guard bytes.count <= limits.size, bytes.count < Int32.max else {
      return .errors([PropertyListError("The file is larger than \(limits.size / 1024) KiB.")])
    }
    if let error = XMLHead.check(bytes) { return .errors([error]) }
    _ = isReady
    let context = unsafe bytes.withUnsafeBytes { buffer in
      unsafe xmlCreateMemoryParserCtxt(buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count))
    }
    guard let context = unsafe context else {
      return .errors([PropertyListError("There is no memory for the XML parser.")])
    }
    defer { unsafe xmlFreeParserCtxt(context) }
    let events = unsafe XMLEvents(context, of: bytes, limits: limits)
    return withExtendedLifetime(events) {
      unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue))
      unsafe context.pointee.sax.pointee = XMLEvents.handler
      unsafe context.pointee.userData = Unmanaged.passUnretained(events).toOpaque()
      unsafe xmlParseDocument(context)
      return events.outcome
    }
  }
}
