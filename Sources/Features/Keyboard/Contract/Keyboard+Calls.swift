public import ExtensionProtocol

/// The methods that a keyboard calls during its own session.
extension Keyboard {
  /// `keyboard/edit`: changes the text, all edits or none; for what no key press asked for.
  public struct Edit: RemoteMethod {
    /// The wire name; the keyboard calls it while it has the field.
    public static let method = "keyboard/edit"
    /// The text around the insertion point after the edits.
    public typealias Result = KeyboardContext

    /// The session of ``Begin``; one that has ended is refused with `requestUnknown`.
    public var sessionID: String
    /// At most 256 edits, applied in order. If one cannot be applied, the call fails with `invalidParams` and the field
    /// is unchanged.
    public var edits: [KeyboardEdit]

    /// Asks for edits; offsets and counts are in characters.
    public init(sessionID: String, edits: [KeyboardEdit]) {
      self.sessionID = sessionID
      self.edits = edits
    }
  }

  /// `keyboard/advanceToNextInputMode`: the user wants the next keyboard.
  public struct AdvanceToNextInputMode: RemoteMethod {
    /// The wire name; the keyboard calls it. Every keyboard has to offer this when the host says that it needs the key.
    public static let method = "keyboard/advanceToNextInputMode"
    /// Empty: another keyboard has the field by now.
    public typealias Result = Empty
    /// The session of ``Begin``.
    public var sessionID: String

    /// Gives the field of a session to the next keyboard.
    public init(sessionID: String) { self.sessionID = sessionID }
  }

  /// `keyboard/handleInputModeList`: the user wants to choose among the keyboards. The host shows them.
  public struct HandleInputModeList: RemoteMethod {
    /// The wire name; the keyboard calls it.
    public static let method = "keyboard/handleInputModeList"
    /// Empty: the host shows the list with the outcome of the key.
    public typealias Result = Empty
    /// The session of ``Begin``.
    public var sessionID: String

    /// Creates the params with the session whose field gets the list.
    public init(sessionID: String) { self.sessionID = sessionID }
  }

  /// `keyboard/dismiss`: the user wants no keyboard.
  public struct Dismiss: RemoteMethod {
    /// The wire name; the keyboard calls it.
    public static let method = "keyboard/dismiss"
    /// Empty: the keyboard has been put away.
    public typealias Result = Empty
    /// The session of ``Begin``.
    public var sessionID: String

    /// Gives the field of a session up.
    public init(sessionID: String) { self.sessionID = sessionID }
  }

  /// `keyboard/setPrimaryLanguage`: the keyboard is now for another language (BCP 47).
  public struct SetPrimaryLanguage: RemoteMethod {
    /// The wire name; the keyboard calls it. This project's own: Apple's `primaryLanguage` is a property.
    public static let method = "keyboard/setPrimaryLanguage"
    /// Empty: the field is for the language from now on.
    public typealias Result = Empty
    /// The session of ``Begin``.
    public var sessionID: String
    /// A BCP 47 tag of 2 to 64 bytes; anything else is refused with `invalidParams`.
    public var primaryLanguage: String

    /// Changes the language of a session; a BCP 47 tag, for example `de-CH`.
    public init(sessionID: String, primaryLanguage: String) {
      self.sessionID = sessionID
      self.primaryLanguage = primaryLanguage
    }
  }

  /// `keyboard/requestSupplementaryLexicon`: the user's own words and shortcuts. Needs no open access.
  public struct RequestSupplementaryLexicon: RemoteMethod {
    /// The wire name; the keyboard calls it.
    public static let method = "keyboard/requestSupplementaryLexicon"

    /// A typed text and its replacement (`UILexiconEntry`).
    public struct Entry: Codable, Sendable, Equatable {
      /// The typed text, for example `omw`.
      public var userInput: String
      /// The replacement, for example `on my way`.
      public var documentText: String

      /// Creates an entry; an abbreviation and its text.
      public init(userInput: String, documentText: String) {
        self.userInput = userInput
        self.documentText = documentText
      }
    }

    /// The user's words, in no order.
    public struct Result: Codable, Sendable, Equatable {
      /// Empty when the host knows none.
      public var entries: [Entry]

      /// Answers with the user's words; none is an answer too.
      public init(entries: [Entry]) { self.entries = entries }
    }

    /// The session of ``Begin``.
    public var sessionID: String

    /// Asks for the words during a session, for none are given outside of one.
    public init(sessionID: String) { self.sessionID = sessionID }
  }
}
