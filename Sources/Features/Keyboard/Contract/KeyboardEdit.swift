import ExtensionProtocol
public import JSON
public import JSONSchema

/// One change of a text (`UITextDocumentProxy`, `UIKeyInput`). A keyboard cannot select text.
///
/// On the wire an object with one member: `{"insertText":"a"}`, `{"deleteBackward":1}`, `{"adjust":-1}`,
/// `{"setMarked":"k","selectedRange":[1,1]}`, `{"unmark":true}`. There is none that selects or pastes.
public enum KeyboardEdit: Sendable, Equatable {
  /// Replaces the selection, or what is marked, or is inserted.
  case insertText(String)
  /// Removes the selection, or this many characters before the insertion point.
  case deleteBackward(Int)
  /// Moves the insertion point by this many characters.
  case adjustTextPosition(Int)
  /// Shows text that is not decided yet, in place of what was marked before; the range is the selection in it.
  case setMarkedText(String, selectedRange: Range<Int>)
  /// Turns the marked text into normal text.
  case unmarkText
}

extension KeyboardEdit: Codable {
  private enum CodingKeys: String, CodingKey {
    case insertText, deleteBackward, adjust, setMarked, unmark
    case selectedRange
  }

  /// Decodes an object with one member; two members, or a range whose bounds are in the wrong order, cannot be decoded.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let keys = container.allKeys.filter { $0 != .selectedRange }
    guard keys.count == 1, let key = keys.first else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "An edit is one of insertText, deleteBackward, adjust, setMarked and unmark."))
    }
    switch key {
    case .insertText: self = .insertText(try container.decode(String.self, forKey: key))
    case .deleteBackward: self = .deleteBackward(try container.decode(Exact<Int>.self, forKey: key).wrappedValue)
    case .adjust: self = .adjustTextPosition(try container.decode(Exact<Int>.self, forKey: key).wrappedValue)
    case .setMarked:
      let text = try container.decode(String.self, forKey: key)
      let bounds =
        try container.decode(NonNegative<[Int]?>.self, forKey: .selectedRange).wrappedValue ?? [text.count, text.count]
      guard bounds.count == 2, bounds[0] <= bounds[1] else {
        throw DecodingError.dataCorruptedError(
          forKey: .selectedRange, in: container, debugDescription: "A range is two offsets, the lower first.")
      }
      self = .setMarkedText(text, selectedRange: bounds[0]..<bounds[1])
    case .unmark, .selectedRange: self = .unmarkText
    }
  }

  /// Encodes an object with one member, and for marked text the range beside it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .insertText(let text): try container.encode(text, forKey: .insertText)
    case .deleteBackward(let count): try container.encode(count, forKey: .deleteBackward)
    case .adjustTextPosition(let offset): try container.encode(offset, forKey: .adjust)
    case .setMarkedText(let text, let range):
      try container.encode(text, forKey: .setMarked)
      try container.encode([range.lowerBound, range.upperBound], forKey: .selectedRange)
    case .unmarkText: try container.encode(true, forKey: .unmark)
    }
  }
}

/// An edit is told by the one member that it has, which its decoding does not show.
extension KeyboardEdit: SchemaDescribing {
  /// An object with one of the members of edits.
  public static func schema(_ tracer: SchemaTracer) throws -> JSONSchema {
    let number = try tracer.schema(of: Exact<Int>.self)
    var range = JSONSchema.array(of: try tracer.schema(of: NonNegative<Int>.self))
    (range.minItems, range.maxItems) = (2, 2)
    var schema = JSONSchema.kind(.object)
    schema.oneOf = [
      .object([.init("insertText", .kind(.string))], required: ["insertText"]),
      .object([.init("deleteBackward", number)], required: ["deleteBackward"]),
      .object([.init("adjust", number)], required: ["adjust"]),
      .object([.init("setMarked", .kind(.string)), .init("selectedRange", range.orNull)], required: ["setMarked"]),
      .object([.init("unmark", .anything)], required: ["unmark"]),
    ]
    return schema
  }
  /// The end of marked text.
  public static var schemaExample: JSONValue { ["unmark": true] }
}
