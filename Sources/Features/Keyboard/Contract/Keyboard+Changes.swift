public import ExtensionProtocol

/// What the host tells a keyboard of its text field (`UITextInputDelegate`). The members of the context lie beside the
/// session.
extension Keyboard {
  /// A notification about the text of a field.
  public protocol Change: RemoteNotification {
    var sessionID: String { get }
    var context: KeyboardContext { get }
    init(sessionID: String, context: KeyboardContext)
  }

  /// `keyboard/textWillChange`: the text is about to change, and not by the keyboard.
  public struct TextWillChange: Change {
    public static let method = "keyboard/textWillChange"
    public var sessionID: String
    public var context: KeyboardContext

    public init(sessionID: String, context: KeyboardContext) {
      self.sessionID = sessionID
      self.context = context
    }
  }

  /// `keyboard/textDidChange`: the text has changed, by whomever.
  public struct TextDidChange: Change {
    public static let method = "keyboard/textDidChange"
    public var sessionID: String
    public var context: KeyboardContext

    public init(sessionID: String, context: KeyboardContext) {
      self.sessionID = sessionID
      self.context = context
    }
  }

  /// `keyboard/selectionWillChange`: the insertion point is about to move, and not by the keyboard.
  public struct SelectionWillChange: Change {
    public static let method = "keyboard/selectionWillChange"
    public var sessionID: String
    public var context: KeyboardContext

    public init(sessionID: String, context: KeyboardContext) {
      self.sessionID = sessionID
      self.context = context
    }
  }

  /// `keyboard/selectionDidChange`: the insertion point has moved.
  public struct SelectionDidChange: Change {
    public static let method = "keyboard/selectionDidChange"
    public var sessionID: String
    public var context: KeyboardContext

    public init(sessionID: String, context: KeyboardContext) {
      self.sessionID = sessionID
      self.context = context
    }
  }
}

private enum ChangeKeys: String, CodingKey { case sessionID }

extension Keyboard.Change {
  public init(from decoder: any Decoder) throws {
    let session = try decoder.container(keyedBy: ChangeKeys.self).decode(String.self, forKey: .sessionID)
    self.init(sessionID: session, context: try KeyboardContext(from: decoder))
  }

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
