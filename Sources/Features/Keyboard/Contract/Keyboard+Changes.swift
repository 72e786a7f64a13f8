public import ExtensionProtocol

/// The notifications of changes in the text field (`UITextInputDelegate`). The members of the context are beside the
/// session's.
extension Keyboard {
  /// A notification about the text of a field.
  public protocol Change: RemoteNotification {
    /// The session of ``Begin``.
    var sessionID: String { get }
    /// The text around the insertion point: before a coming change, or after a past one.
    var context: KeyboardContext { get }
    /// Every change carries the same two members, so that one function can make all of them.
    init(sessionID: String, context: KeyboardContext)
  }

  /// `keyboard/textWillChange`: the text is about to change, and not by the keyboard.
  public struct TextWillChange: Change {
    /// The wire name; the host sends it.
    public static let method = "keyboard/textWillChange"
    /// The session of ``Begin``.
    public var sessionID: String
    /// The text before the change.
    public var context: KeyboardContext

    /// Announces a change of the text, with the context before it.
    public init(sessionID: String, context: KeyboardContext) {
      self.sessionID = sessionID
      self.context = context
    }
  }

  /// `keyboard/textDidChange`: the text has changed, by whomever.
  public struct TextDidChange: Change {
    /// The wire name; the host sends it.
    public static let method = "keyboard/textDidChange"
    /// The session of ``Begin``.
    public var sessionID: String
    /// The text after the change.
    public var context: KeyboardContext

    /// Creates the notification of a changed text, with the context after it.
    public init(sessionID: String, context: KeyboardContext) {
      self.sessionID = sessionID
      self.context = context
    }
  }

  /// `keyboard/selectionWillChange`: the insertion point is about to move, and not by the keyboard.
  public struct SelectionWillChange: Change {
    /// The wire name; the host sends it.
    public static let method = "keyboard/selectionWillChange"
    /// The session of ``Begin``.
    public var sessionID: String
    /// The text before the insertion point moves.
    public var context: KeyboardContext

    /// Announces that the insertion point moves, with the context before it.
    public init(sessionID: String, context: KeyboardContext) {
      self.sessionID = sessionID
      self.context = context
    }
  }

  /// `keyboard/selectionDidChange`: the insertion point has moved.
  public struct SelectionDidChange: Change {
    /// The wire name; the host sends it.
    public static let method = "keyboard/selectionDidChange"
    /// The session of ``Begin``.
    public var sessionID: String
    /// The text with the insertion point at its new place.
    public var context: KeyboardContext

    /// Tells that the insertion point has moved, with the context after it.
    public init(sessionID: String, context: KeyboardContext) {
      self.sessionID = sessionID
      self.context = context
    }
  }
}

private enum ChangeKeys: String, CodingKey { case sessionID }

extension Keyboard.Change {
  /// Decodes the params: the members of the context are beside the session, not in an object of their own.
  public init(from decoder: any Decoder) throws {
    let session = try decoder.container(keyedBy: ChangeKeys.self).decode(String.self, forKey: .sessionID)
    self.init(sessionID: session, context: try KeyboardContext(from: decoder))
  }

  /// Encodes the params as one object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ChangeKeys.self)
    try container.encode(sessionID, forKey: .sessionID)
    try context.encode(to: encoder)
  }
}

extension Keyboard.Begin {
  private enum CodingKeys: String, CodingKey {
    case sessionID, documentIdentifier, documentInputMode, traits, hasFullAccess, needsInputModeSwitchKey
  }

  /// Decodes the params: the members of the context are beside the session, not in an object of their own.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      sessionID: try container.decode(String.self, forKey: .sessionID),
      documentIdentifier: try container.decode(String.self, forKey: .documentIdentifier),
      documentInputMode: try container.decodeIfPresent(String.self, forKey: .documentInputMode),
      traits: try container.decode(KeyboardTraits.self, forKey: .traits),
      hasFullAccess: try container.decode(Bool.self, forKey: .hasFullAccess),
      needsInputModeSwitchKey: try container.decode(Bool.self, forKey: .needsInputModeSwitchKey),
      context: try KeyboardContext(from: decoder))
  }

  /// Encodes the params as one object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(sessionID, forKey: .sessionID)
    try container.encode(documentIdentifier, forKey: .documentIdentifier)
    try container.encodeIfPresent(documentInputMode, forKey: .documentInputMode)
    try container.encode(traits, forKey: .traits)
    try container.encode(hasFullAccess, forKey: .hasFullAccess)
    try container.encode(needsInputModeSwitchKey, forKey: .needsInputModeSwitchKey)
    try context.encode(to: encoder)
  }
}
