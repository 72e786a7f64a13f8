public import ExtensionProtocol

/// What a keyboard asks of the host, during a session of its own.
extension Keyboard {
  /// `keyboard/edit`: changes the text, all edits or none; for what no key press asked for.
  public struct Edit: RemoteMethod {
    public static let method = "keyboard/edit"
    public typealias Result = KeyboardContext

    public var sessionID: String
    public var edits: [KeyboardEdit]

    public init(sessionID: String, edits: [KeyboardEdit]) {
      self.sessionID = sessionID
      self.edits = edits
    }
  }

  /// `keyboard/advanceToNextInputMode`: the user wants the next keyboard.
  public struct AdvanceToNextInputMode: RemoteMethod {
    public static let method = "keyboard/advanceToNextInputMode"
    public typealias Result = Empty
    public var sessionID: String

    public init(sessionID: String) { self.sessionID = sessionID }
  }

  /// `keyboard/handleInputModeList`: the user wants to choose among the keyboards. The host shows them.
  public struct HandleInputModeList: RemoteMethod {
    public static let method = "keyboard/handleInputModeList"
    public typealias Result = Empty
    public var sessionID: String

    public init(sessionID: String) { self.sessionID = sessionID }
  }

  /// `keyboard/dismiss`: the user wants no keyboard.
  public struct Dismiss: RemoteMethod {
    public static let method = "keyboard/dismiss"
    public typealias Result = Empty
    public var sessionID: String

    public init(sessionID: String) { self.sessionID = sessionID }
  }

  /// `keyboard/setPrimaryLanguage`: the keyboard is now for another language (BCP 47).
  public struct SetPrimaryLanguage: RemoteMethod {
    public static let method = "keyboard/setPrimaryLanguage"
    public typealias Result = Empty
    public var sessionID: String
    public var primaryLanguage: String

    public init(sessionID: String, primaryLanguage: String) {
      self.sessionID = sessionID
      self.primaryLanguage = primaryLanguage
    }
  }

  /// `keyboard/requestSupplementaryLexicon`: the user's own words and shortcuts. Needs no open access.
  public struct RequestSupplementaryLexicon: RemoteMethod {
    public static let method = "keyboard/requestSupplementaryLexicon"

    /// What is typed, and what it stands for (`UILexiconEntry`).
    public struct Entry: Codable, Sendable, Equatable {
      public var userInput: String
      public var documentText: String

      public init(userInput: String, documentText: String) {
        self.userInput = userInput
        self.documentText = documentText
      }
    }

    public struct Result: Codable, Sendable, Equatable {
      public var entries: [Entry]

      public init(entries: [Entry]) { self.entries = entries }
    }

    public var sessionID: String

    public init(sessionID: String) { self.sessionID = sessionID }
  }
}
