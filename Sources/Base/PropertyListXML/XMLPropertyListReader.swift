import CExpat
package import PropertyList

/// Reads the XML form of a property list (Apple's DTD, version 1.0).
///
/// Expat finds the elements and their lines; what they mean is decided here. Nothing is loaded and no entity is
/// expanded: a file that declares any is refused, and so is everything else that a property list does not need.
package enum XMLPropertyListReader {
  /// What came of a file: the value, or at least one error.
  package enum Outcome: Sendable {
    /// The value, with the line of everything in it.
    case value(PropertyListNode)
    /// What is wrong, in the order of the file; never empty, at most 50.
    case errors([PropertyListError])
  }

  /// Parses the bytes of a file. Takes time in proportion to them.
  package static func parse(_ bytes: [UInt8], limits: PropertyListLimits) -> Outcome {
    guard bytes.count <= limits.size, bytes.count < Int32.max else {
      return .errors([PropertyListError("The file is larger than \(limits.size / 1024) KiB.")])
    }
    if let error = XMLHead.check(bytes) { return .errors([error]) }
    // The encoding that is given here stands above what the file says.
    guard let parser = unsafe XML_ParserCreateNS("UTF-8", CChar(UInt8(ascii: ":"))) else {
      return .errors([PropertyListError("There is no memory for the XML parser.")])
    }
    defer { unsafe XML_ParserFree(parser) }
    return unsafe XMLEvents(parser, of: bytes, limits: limits).run()
  }
}
