public import ExtensionProtocol
import JSON

/// One attachment of an item (`NSItemProvider`): the types in which it can be loaded, and its value when that is small.
public struct ItemProvider: Codable, Sendable, Equatable {
  /// A value that travels with the item.
  public struct Inline: Codable, Sendable, Equatable {
    /// The uniform type identifier of the value.
    public var type: String
    /// Text, or a URL; base64 when ``encoding`` says so.
    public var value: String
    /// `base64` for bytes, `json` for a property list; absent for plain text.
    public var encoding: String?

    /// Creates a value that is sent with its item.
    ///
    /// - Parameters:
    ///   - value: the value in the encoding; plain text without one.
    ///   - encoding: `nil`, `base64`, or `json` for a property list.
    public init(type: String, value: String, encoding: String? = nil) {
      self.type = type
      self.value = value
      self.encoding = encoding
    }
  }

  /// Names the attachment in `item/load`; unique within a request.
  public var itemID: String
  /// Uniform type identifiers, highest fidelity first. One that is registered twice counts once, at its first place.
  public var registeredTypeIdentifiers: [String]
  /// A file name for people; `nil` when the value has none.
  public var suggestedName: String?
  /// Present when the value is under 64 KiB.
  public var inline: Inline?
  /// Bytes, where known.
  @NonNegative<Int?> public var estimatedSize: Int?
  /// The programs that can see the attachment; absent means all.
  public var visibility: Visibility?

  /// The programs that can see an attachment (`NSItemProviderRepresentationVisibility`).
  public enum Visibility: Int, Codable, Sendable, CaseIterable {
    /// Visible to all programs.
    case all = 0
    /// Visible to programs of the same containing app. Developers are not identified here, so it equals `group`.
    case team = 1
    /// Visible to programs of the same containing app.
    case group = 2
    /// Visible only to the process that created the item.
    case ownProcess = 3
  }

  /// The largest value that travels inline, in bytes.
  public static let inlineLimit = 64 << 10

  /// Creates an attachment that shows itself to everybody.
  ///
  /// - Parameters:
  ///   - itemID: unique within the request.
  ///   - registeredTypeIdentifiers: highest fidelity first; one that comes twice counts once, at its first place.
  ///   - estimatedSize: in bytes; `nil` when it is not known.
  public init(
    itemID: String, registeredTypeIdentifiers: [String], suggestedName: String? = nil, inline: Inline? = nil,
    estimatedSize: Int? = nil
  ) {
    self.itemID = itemID
    self.registeredTypeIdentifiers = Self.distinct(registeredTypeIdentifiers)
    self.suggestedName = suggestedName
    self.inline = inline
    self.estimatedSize = estimatedSize
  }

  /// Decodes an attachment; types that come twice count once here too.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      itemID: try container.decode(String.self, forKey: .itemID),
      registeredTypeIdentifiers: try container.decode([String].self, forKey: .registeredTypeIdentifiers),
      suggestedName: try container.decodeIfPresent(String.self, forKey: .suggestedName),
      inline: try container.decodeIfPresent(Inline.self, forKey: .inline),
      estimatedSize: try container.decode(NonNegative<Int?>.self, forKey: .estimatedSize).wrappedValue)
    visibility = try container.decodeIfPresent(Visibility.self, forKey: .visibility)
  }

  /// The first of each type identifier, in order. Case does not tell two apart.
  package static func distinct(_ typeIdentifiers: [String]) -> [String] {
    var seen: Set<String> = []
    return typeIdentifiers.filter { seen.insert($0.lowercased()).inserted }
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

/// The errors of item providers, in the domain `NSItemProviderErrorDomain`.
public enum ItemProviderError: Int64, Sendable, CaseIterable {
  /// The attachment cannot be loaded, for a reason that has no code of its own.
  case unknown = -1
  /// There is no such attachment, or it cannot be had any more.
  case itemUnavailable = -1000
  /// The value is not what its type says.
  case unexpectedValueClass = -1100
  /// The attachment cannot be turned into the type asked for.
  case unavailableCoercion = -1200

  /// The error as it crosses the wire.
  public func error(_ message: String) -> ExtensionError {
    ExtensionError(
      .framework, message,
      details: [
        "domain": "NSItemProviderErrorDomain", "code": .integer(rawValue), "localizedDescription": .string(message),
      ])
  }
}
