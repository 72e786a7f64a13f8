public import ExtensionProtocol

/// `keyboard/…`: a session of a Custom Keyboard. The methods are those of `UIInputViewController` and
/// `UITextDocumentProxy`.
///
/// Offsets and counts are in characters as a reader sees them (extended grapheme clusters).
public enum Keyboard: ServiceContract {
  /// The prefix of the methods.
  public static let name = "keyboard"
  /// The methods that only a Custom Keyboard may call; none of them needs open access.
  public static let methods: [any RemoteMethod.Type] = [
    Edit.self, AdvanceToNextInputMode.self, HandleInputModeList.self, Dismiss.self, RequestSupplementaryLexicon.self,
    SetPrimaryLanguage.self,
  ]

  // MARK: Host to extension

  /// `keyboard/begin`: a text field has the keyboard.
  public struct Begin: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "keyboard/begin"

    /// The keyboard's display; every member may be absent.
    public struct Result: Codable, Sendable, Equatable {
      /// BCP 47; absent keeps the manifest's.
      public var primaryLanguage: String?
      /// The keys that the keyboard shows, row by row, for a host that draws them.
      public var layout: [[String]]?
      /// Whether the keyboard shows its own dictation key, so that the host shows none; absent means `false`.
      public var hasDictationKey: Bool?

      /// Creates an answer; a keyboard that says nothing is for its manifest's language.
      public init(primaryLanguage: String? = nil, layout: [[String]]? = nil, hasDictationKey: Bool? = nil) {
        self.primaryLanguage = primaryLanguage
        self.layout = layout
        self.hasDictationKey = hasDictationKey
      }
    }

    /// Names the field in every call until ``End``.
    public var sessionID: String
    /// New for each text field.
    public var documentIdentifier: String
    /// The language of the keyboard that had the text before (BCP 47); absent when that is not known.
    public var documentInputMode: String?
    /// The traits of the field. A password field never gets a custom keyboard, so it does not occur here.
    public var traits: KeyboardTraits
    /// Whether the manifest asks for open access and the user grants it.
    public var hasFullAccess: Bool
    /// Whether the keyboard has to offer a way to the next one.
    public var needsInputModeSwitchKey: Bool
    /// The text around the insertion point as the field is taken over.
    public var context: KeyboardContext

    /// Creates the params.
    ///
    /// - Parameters:
    ///   - documentIdentifier: the same identifier while the same field changes keyboards.
    ///   - documentInputMode: a language tag of BCP 47; `nil` when it is unknown.
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
    /// The wire name; the host calls it. An answer after two seconds is not used: the system's keyboard takes over.
    public static let method = "keyboard/input"
    /// The host logs an answer that takes over a tenth of a second; after two seconds the system's keyboard takes over.
    public static let deadline = RequestDeadline(soft: .milliseconds(100), hard: .seconds(2))

    /// A user's action on the keyboard.
    public struct Event: Codable, Sendable, Equatable {
      /// The kinds of action.
      public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A key of a real keyboard.
        case key
        /// An action on a key of the keyboard's own layout; for a gesture, ``Event/key`` is its name.
        case tap, longPress, gesture
        /// The user chose one of the candidates that the keyboard offered; ``Event/key`` is its text.
        case candidate
      }

      /// `key` unless the host draws the keyboard.
      public var kind: Kind
      /// The key's text, or one of the names `delete`, `return`, `space`, `tab`, `nextKeyboard`.
      public var key: String

      /// Creates an event; a name such as `delete` or the text of the key.
      public init(_ key: String, kind: Kind = .key) {
        self.key = key
        self.kind = kind
      }
    }

    /// The keyboard's answer to a key.
    public struct Result: Codable, Sendable, Equatable {
      /// At most 256, applied all or none; empty when the key means nothing.
      public var edits: [KeyboardEdit]
      /// Suggestions for the user, the best first.
      public var candidates: [String]?

      /// Creates an answer; without candidates the host shows none.
      public init(edits: [KeyboardEdit], candidates: [String]? = nil) {
        self.edits = edits
        self.candidates = candidates
      }
    }

    /// The session of ``Begin``.
    public var sessionID: String
    /// The user's action.
    public var event: Event

    /// Hands one event to the keyboard; the next comes only after its answer.
    public init(sessionID: String, event: Event) {
      self.sessionID = sessionID
      self.event = event
    }
  }

  /// `keyboard/end`: the keyboard goes.
  public struct End: RemoteMethod {
    /// Empty: the keyboard has released the field.
    public typealias Result = Empty
    /// The wire name; the host calls it, for the field that the keyboard gives up too.
    public static let method = "keyboard/end"

    /// The reason a keyboard leaves the field, or does not get it.
    public enum Reason: String, Codable, Sendable, CaseIterable {
      /// The field is for a password.
      case secureField
      /// The field is for a telephone number, or a name and one.
      case phonePad
      /// The user went to the next keyboard.
      case switched
      /// The user wants no keyboard.
      case dismissed
      /// The app does not allow keyboards of others.
      case hostDisallows
    }

    /// The session of ``Begin``.
    public var sessionID: String
    /// The reason the keyboard leaves the field.
    public var reason: Reason

    /// Takes the field from the keyboard and says why.
    public init(sessionID: String, reason: Reason) {
      self.sessionID = sessionID
      self.reason = reason
    }
  }
}
