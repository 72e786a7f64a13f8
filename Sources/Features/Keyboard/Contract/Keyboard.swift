public import ExtensionProtocol

/// `keyboard/…`: a session of a Custom Keyboard. The methods are those of `UIInputViewController` and
/// `UITextDocumentProxy`.
///
/// Offsets and counts are in characters as a reader sees them (extended grapheme clusters).
public enum Keyboard: ServiceContract {
  public static let name = "keyboard"
  public static let methods: [any RemoteMethod.Type] = [
    Edit.self, AdvanceToNextInputMode.self, HandleInputModeList.self, Dismiss.self, RequestSupplementaryLexicon.self,
    SetPrimaryLanguage.self,
  ]

  // MARK: Host to extension

  /// `keyboard/begin`: a text field has the keyboard.
  public struct Begin: RemoteMethod {
    public static let method = "keyboard/begin"

    public struct Result: Codable, Sendable, Equatable {
      /// BCP 47; absent keeps the manifest's.
      public var primaryLanguage: String?
      /// The keys that the keyboard shows, row by row, for a host that draws them.
      public var layout: [[String]]?
      /// Whether the keyboard shows a dictation key of its own, so that the host need not; it does not when absent.
      public var hasDictationKey: Bool?

      public init(primaryLanguage: String? = nil, layout: [[String]]? = nil, hasDictationKey: Bool? = nil) {
        self.primaryLanguage = primaryLanguage
        self.layout = layout
        self.hasDictationKey = hasDictationKey
      }
    }

    public var sessionID: String
    /// New for each text field.
    public var documentIdentifier: String
    /// The language of the keyboard that had the text before (BCP 47); absent when that is not known.
    public var documentInputMode: String?
    public var traits: KeyboardTraits
    /// Whether the manifest asks for open access and the user grants it.
    public var hasFullAccess: Bool
    /// Whether the keyboard has to offer a way to the next one.
    public var needsInputModeSwitchKey: Bool
    public var context: KeyboardContext

    public init(
      sessionID: String, documentIdentifier: String, documentInputMode: String? = nil, traits: KeyboardTraits,
      hasFullAccess: Bool, needsInputModeSwitchKey: Bool, context: KeyboardContext
    ) {
      self.sessionID = sessionID
      self.documentIdentifier = documentIdentifier
      self.documentInputMode = documentInputMode
      self.traits = traits
      self.hasFullAccess = hasFullAccess
      self.needsInputModeSwitchKey = needsInputModeSwitchKey
      self.context = context
    }
  }

  /// `keyboard/input`: the user acts on the keyboard. The edits of the answer are applied all or none.
  public struct Input: RemoteMethod {
    public static let method = "keyboard/input"
    public static let deadline = RequestDeadline(soft: .milliseconds(100), hard: .seconds(2))

    /// What the user did.
    public struct Event: Codable, Sendable, Equatable {
      public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A key of a real keyboard.
        case key
        /// What is done to a key of the keyboard's own layout; for a gesture ``Event/key`` is its name.
        case tap, longPress, gesture
        /// The user chose one of the candidates that the keyboard offered; ``Event/key`` is its text.
        case candidate
      }

      public var kind: Kind
      /// The key's text, or one of the names `delete`, `return`, `space`, `tab`, `nextKeyboard`.
      public var key: String

      public init(_ key: String, kind: Kind = .key) {
        self.key = key
        self.kind = kind
      }
    }

    public struct Result: Codable, Sendable, Equatable {
      public var edits: [KeyboardEdit]
      /// What the user might mean, best first.
      public var candidates: [String]?

      public init(edits: [KeyboardEdit], candidates: [String]? = nil) {
        self.edits = edits
        self.candidates = candidates
      }
    }

    public var sessionID: String
    public var event: Event

    public init(sessionID: String, event: Event) {
      self.sessionID = sessionID
      self.event = event
    }
  }

  /// `keyboard/end`: the keyboard goes.
  public struct End: RemoteMethod {
    public typealias Result = Empty
    public static let method = "keyboard/end"

    /// Why a keyboard goes, or is not shown.
    public enum Reason: String, Codable, Sendable, CaseIterable {
      /// The field is for a password.
      case secureField
      /// The field is for a telephone number, or a name and one.
      case phonePad
      /// The user went to the next keyboard.
      case switched
      case dismissed
      /// The app does not allow keyboards of others.
      case hostDisallows
    }

    public var sessionID: String
    public var reason: Reason

    public init(sessionID: String, reason: Reason) {
      self.sessionID = sessionID
      self.reason = reason
    }
  }
}
