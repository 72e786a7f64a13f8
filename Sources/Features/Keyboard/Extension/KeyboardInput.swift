public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

/// A text field that the keyboard has, and what the keyboard can ask of the host (`UIInputViewController`).
public struct KeyboardInput: Sendable {
  /// Names the field in the calls between host and keyboard.
  public let id: String
  /// New for each text field.
  public let documentIdentifier: String
  /// The language of the keyboard that had the text before (BCP 47); `nil` when that is not known.
  public let documentInputMode: String?
  /// The traits of the field.
  public let traits: KeyboardTraits
  /// Whether the manifest asks for open access and the user grants it: only then may the keyboard write to app groups and
  /// use the network.
  public let hasFullAccess: Bool
  /// Whether the keyboard has to offer a way to the next one.
  public let needsInputModeSwitchKey: Bool
  /// The way to the host's services.
  public let context: ExtensionContext

  init(_ begin: Keyboard.Begin, _ channel: ExtensionSession) {
    id = begin.sessionID
    documentIdentifier = begin.documentIdentifier
    documentInputMode = begin.documentInputMode
    traits = begin.traits
    hasFullAccess = begin.hasFullAccess
    needsInputModeSwitchKey = begin.needsInputModeSwitchKey
    context = ExtensionContext(requestID: begin.sessionID, session: channel)
  }

  /// Changes the text outside of a key press.
  ///
  /// - Returns: the text around the insertion point afterwards.
  /// - Throws: `invalidParams` when one of the edits cannot be applied, so that none is; `requestUnknown` when the
  ///   keyboard no longer has the field.
  @discardableResult
  public func edit(_ edits: [KeyboardEdit]) async throws(ExtensionError) -> KeyboardContext {
    try await context.call(Keyboard.Edit(sessionID: id, edits: edits))
  }

  /// Goes to the next keyboard. Every keyboard has to offer this when ``needsInputModeSwitchKey`` is set.
  ///
  /// - Throws: `requestUnknown` when the keyboard no longer has the field.
  public func advanceToNextInputMode() async throws(ExtensionError) {
    _ = try await context.call(Keyboard.AdvanceToNextInputMode(sessionID: id))
  }

  /// Asks the host to show the list of keyboards, for a long press on the key of the next keyboard.
  ///
  /// - Throws: `requestUnknown` when the keyboard no longer has the field.
  public func handleInputModeList() async throws(ExtensionError) {
    _ = try await context.call(Keyboard.HandleInputModeList(sessionID: id))
  }

  /// Puts the keyboard away.
  ///
  /// - Throws: `requestUnknown` when the keyboard no longer has the field.
  public func dismissKeyboard() async throws(ExtensionError) {
    _ = try await context.call(Keyboard.Dismiss(sessionID: id))
  }

  /// Says which language the keyboard is for now.
  ///
  /// - Parameter language: a BCP 47 tag.
  /// - Throws: `invalidParams` for what is no language tag; `requestUnknown` when the keyboard no longer has the field.
  public func setPrimaryLanguage(_ language: String) async throws(ExtensionError) {
    _ = try await context.call(Keyboard.SetPrimaryLanguage(sessionID: id, primaryLanguage: language))
  }

  /// The user's own words and shortcuts; needs no open access.
  ///
  /// - Throws: `requestUnknown` when the keyboard no longer has the field.
  public func supplementaryLexicon() async throws(ExtensionError) -> [Keyboard.RequestSupplementaryLexicon.Entry] {
    try await context.call(Keyboard.RequestSupplementaryLexicon(sessionID: id)).entries
  }
}
