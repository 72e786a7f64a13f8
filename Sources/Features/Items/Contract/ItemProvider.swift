/// One attachment of an item (`NSItemProvider`): the types in which it can be loaded, and its value when that is small.
public struct ItemProvider: Codable, Sendable, Equatable {
  /// A value that travels with the item.
  public struct Inline: Codable, Sendable, Equatable {
    /// The uniform type identifier of the value.
    public var type: String
    /// Text, or a URL; base64 when ``encoding`` says so.
    public var value: String
    /// `base64` for bytes; absent for text.
    public var encoding: String?

    public init(type: String, value: String, encoding: String? = nil) {
      self.type = type
      self.value = value
      self.encoding = encoding
    }
  }

  /// Names the attachment in `item/load`; unique within a request.
  public var itemID: String
  /// Uniform type identifiers, highest fidelity first, without duplicates.
  public var registeredTypeIdentifiers: [String]
  public var suggestedName: String?
  /// Present when the value is under 64 KiB.
  public var inline: Inline?
  /// Bytes, where known.
  public var estimatedSize: Int?
  /// To whom the attachment shows itself; to everybody when absent.
  public var visibility: Visibility?

  /// To whom an attachment shows itself (`NSItemProviderRepresentationVisibility`).
  public enum Visibility: Int, Codable, Sendable {
    case all = 0
    case team = 1
    case group = 2
    case ownProcess = 3
  }

  /// The largest value that travels inline, in bytes.
  public static let inlineLimit = 64 << 10

  public init(
    itemID: String, registeredTypeIdentifiers: [String], suggestedName: String? = nil, inline: Inline? = nil,
    estimatedSize: Int? = nil
  ) {
    self.itemID = itemID
    self.registeredTypeIdentifiers = registeredTypeIdentifiers
    self.suggestedName = suggestedName
    self.inline = inline
    self.estimatedSize = estimatedSize
  }

  /// Plain text, inline. Text over ``inlineLimit`` is for the host's files, not for an item that is returned.
  public static func text(_ text: String, itemID: String = "text") -> ItemProvider {
    ItemProvider(
      itemID: itemID, registeredTypeIdentifiers: ["public.utf8-plain-text", "public.plain-text"],
      inline: Inline(type: "public.utf8-plain-text", value: text), estimatedSize: text.utf8.count)
  }

  /// A web address, inline.
  public static func url(_ url: String, itemID: String = "url") -> ItemProvider {
    ItemProvider(
      itemID: itemID, registeredTypeIdentifiers: ["public.url"], inline: Inline(type: "public.url", value: url),
      estimatedSize: url.utf8.count)
  }
}
