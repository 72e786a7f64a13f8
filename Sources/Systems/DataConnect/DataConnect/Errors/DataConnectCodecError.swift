/// A value is not what its type wants.
public struct DataConnectCodecError: DataConnectError {
  /// The sorts of failure.
  public enum Code: Sendable, Hashable {
    /// Variables cannot be written.
    case encodingFailed
    /// A result cannot be read.
    case decodingFailed
    /// A text is no UUID.
    case invalidUUID
    /// A text is no point in time.
    case invalidTimestampFormat
    /// A text is no day.
    case invalidLocalDateFormat
  }

  /// The sort of failure.
  public let code: Code
  /// The error in one sentence.
  public let message: String
  /// The error behind it.
  public let underlyingError: (any Error)?

  init(_ code: Code, _ message: String, _ underlyingError: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlyingError = underlyingError
  }
}

extension String {
  /// A foreign text for a message: cut, and without control characters.
  var shown: String {
    let text = unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : String($0) }
    return "\"\(text.joined())\(unicodeScalars.count > 60 ? "…" : "")\""
  }
}
