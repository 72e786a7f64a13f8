/// Why bytes are not the JSON that was expected, and where.
public struct JSONError: Error, Sendable, Hashable {
  /// The reason why the text was refused.
  public enum Reason: Sendable, Hashable {
    case unexpectedEnd
    case unexpectedCharacter
    case trailingContent
    case byteOrderMark
    case controlCharacter
    case invalidEscape
    case loneSurrogate
    case invalidUTF8
    case invalidNumber
    case numberOutOfRange
    case duplicateKey(String)
    case tooDeep(limit: Int)
    case tooLarge
    /// A typed reader wanted something else.
    case mismatch(expected: String)
    case missingMember(String)
  }

  /// The kind of fault.
  public let reason: Reason
  /// Bytes before the fault.
  public let offset: Int

  /// Creates an error at a byte offset.
  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// What is wrong, without the place.
  public var message: String {
    switch reason {
    case .unexpectedEnd: "The text ends in the middle of a value."
    case .unexpectedCharacter: "There is a character that JSON does not allow here."
    case .trailingContent: "Something follows the value."
    case .byteOrderMark: "The text begins with a byte order mark."
    case .controlCharacter: "A string contains a control character that must be escaped."
    case .invalidEscape: "A string contains an unknown escape."
    case .loneSurrogate: "A string contains half of a surrogate pair."
    case .invalidUTF8: "The text is not valid UTF-8."
    case .invalidNumber: "A number is not written as JSON demands."
    case .numberOutOfRange: "A number is too large."
    case .duplicateKey(let key): "An object has two members named \"\(key)\"."
    case .tooDeep(let limit): "Arrays and objects are nested more than \(limit) deep."
    case .tooLarge: "The text is too large."
    case .mismatch(let expected): "Here \(expected) is expected."
    case .missingMember(let name): "The member \"\(name)\" is missing."
    }
  }

  /// Line and column of the fault in `text`, both from 1; the column counts bytes.
  public func position(in text: some Sequence<UInt8>) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for (index, byte) in text.enumerated() {
      if index == offset { break }
      if byte == 0x0A {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    return (line, column)
  }
}

extension JSONError: CustomStringConvertible {
  /// The ``message`` with its ``offset`` in bytes.
  public var description: String { "\(message) (byte \(offset))" }
}
