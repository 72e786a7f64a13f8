import JSON

/// A record whose file names the version of its format and is readable for people.
protocol FormattedContent: StateContent {
  /// The version of the format that this build writes and reads.
  static var currentFormat: Int { get }
}

private struct FormatHeader: Codable { var format: Int }

extension FormattedContent {
  /// The contents of a file of the current format.
  ///
  /// - Throws: ``LaterFormat``, and `DecodingError` when the bytes are no record.
  static func parsed(_ bytes: [UInt8]) throws -> Self {
    let header = try JSONCoding.decode(FormatHeader.self, from: bytes)
    guard header.format == currentFormat else { throw LaterFormat(found: header.format, known: currentFormat) }
    return try JSONCoding.decode(Self.self, from: bytes)
  }

  /// - Throws: as ``parsed(_:)``.
  init(parsing bytes: [UInt8]) throws { self = try Self.parsed(bytes) }

  /// The JSON text with sorted keys.
  var fileBytes: [UInt8] {
    get throws {
      Array((JSONCoding.prettyText(of: try JSONCoding.value(of: self), sortsKeys: true) + "\n").utf8)
    }
  }
}
