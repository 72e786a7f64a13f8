/// A place in the host where an extension can appear, spelled as Apple spells its identifier
/// (`NSExtensionPointIdentifier`).
public struct ExtensionPoint: RawRepresentable, Hashable, Sendable, Codable {
  /// The identifier, for example `com.apple.widget-extension`.
  public let rawValue: String

  /// Any identifier; ``isKnown`` tells whether this host serves it.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The point with an identifier or a short name (`today share action action-ui photo picker provider keyboard`).
  ///
  /// - Returns: `nil` when no known point has that name.
  public init?(name: String) {
    guard let known = Self.table.first(where: { $0.short == name || $0.point.rawValue == name }) else { return nil }
    self = known.point
  }

  /// A Today widget: a short view, updated when the host asks.
  public static let today = ExtensionPoint(rawValue: "com.apple.widget-extension")
  /// A Share extension: takes items and a text to post elsewhere.
  public static let share = ExtensionPoint(rawValue: "com.apple.share-services")
  /// An action without a user interface of its own.
  public static let action = ExtensionPoint(rawValue: "com.apple.services")
  /// An action with a user interface.
  public static let actionUI = ExtensionPoint(rawValue: "com.apple.ui-services")
  /// A Photo Editing extension: changes a photo, and can change it again later.
  public static let photoEditing = ExtensionPoint(rawValue: "com.apple.photo-editing")
  /// A Document Picker: lets the user choose among the documents of a provider.
  public static let documentPicker = ExtensionPoint(rawValue: "com.apple.fileprovider-ui")
  /// A File Provider: fetches the documents that a picker showed.
  public static let fileProvider = ExtensionPoint(rawValue: "com.apple.fileprovider-nonui")
  /// A Custom Keyboard: types into the text fields of the host.
  public static let keyboard = ExtensionPoint(rawValue: "com.apple.keyboard-service")
  /// Not an extension point: the containing app speaks the same protocol under this name.
  public static let containingApp = ExtensionPoint(rawValue: "containing-app")

  private static let table: [(short: String, point: ExtensionPoint)] = [
    ("today", .today), ("share", .share), ("action", .action), ("action-ui", .actionUI), ("photo", .photoEditing),
    ("picker", .documentPicker), ("provider", .fileProvider), ("keyboard", .keyboard), ("app", .containingApp),
  ]

  /// Every extension point that has a name here, in the order in which tools list them; without the containing app.
  public static var all: [ExtensionPoint] { table.map(\.point).filter { $0 != .containingApp } }

  /// The short name, or the identifier where there is none.
  public var shortName: String { Self.table.first { $0.point == self }?.short ?? rawValue }

  /// Whether the identifier is one of the table above.
  public var isKnown: Bool { Self.table.contains { $0.point == self } }

  /// Reads the identifier; one that is not known is no error.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes the identifier.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
