import Contracts
import ExtensionHosting
import ExtensionProtocol
import JSON
import Synchronization

/// Applies a keyboard's edits to its text field.
extension KeyboardSession {
  /// `keyboard/edit`
  func edit(_ edits: [KeyboardEdit]) throws(ExtensionError) -> KeyboardContext {
    try state.withLock { field throws(ExtensionError) in
      _ = try step(.call, &field)
      try apply(edits, &field)
      return field.document.context
    }
  }

  /// `keyboard/setPrimaryLanguage`
  func setPrimaryLanguage(_ language: String) throws(ExtensionError) {
    try state.withLock { field throws(ExtensionError) in
      _ = try step(.call, &field)
      try setPrimaryLanguage(language, &field)
    }
  }

  func setPrimaryLanguage(_ language: String, _ field: inout Field) throws(ExtensionError) {
    let isTag = language.utf8.allSatisfy {
      $0 == 0x2D || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
    }
    guard isTag, (2...64).contains(language.utf8.count) else {
      throw ExtensionError(
        .invalidParams, "This is not a language tag.", recovery: "Give a BCP 47 tag, for example de-CH.")
    }
    field.primaryLanguage = language
  }

  /// `keyboard/handleInputModeList`: said with the outcome of the key.
  func askForInputModeList() throws(ExtensionError) {
    try state.withLock { field throws(ExtensionError) in
      _ = try step(.call, &field)
      field.wantsInputModeList = true
    }
  }

  /// - Throws: `requestUnknown` when the keyboard does not have the field.
  func requireField() throws(ExtensionError) { try event(.call) }

  /// Applies edits, all or none.
  func apply(_ edits: [KeyboardEdit], _ field: inout Field) throws(ExtensionError) {
    let why: String
    do throws(TextDocument.Refusal) {
      return try field.document.apply(edits)
    } catch {
      why =
        switch error {
        case .tooLong: "the text would be longer than \(TextDocument.limit) bytes"
        case .tooMany: "they are more than \(TextDocument.maximumEdits)"
        case .outOfRange: "a count or a range does not fit the text"
        }
    }
    throw ExtensionError(
      .invalidParams, "The edits of \(process.caller.identity.displayName) cannot be applied: \(why).",
      recovery: "None of them was applied. Count in characters, and delete at least one.")
  }

  /// The error when the keyboard was ended because its open access was withdrawn; `nil` otherwise.
  var withdrawal: ExtensionError? {
    guard hasFullAccess, !service.hasFullAccess(process.caller) else { return nil }
    let identity = process.caller.identity
    return ExtensionError(
      .permissionDenied, "\(identity.displayName) was ended: its open access was taken away.",
      recovery: "Start it again: it then runs without open access.",
      details: ["permission": .string(PermissionKind.openAccess.name), "extension": .string(identity.id)])
  }

  /// Passes an event to the state machine and performs its actions on the text.
  ///
  /// - Parameter key: the key to insert when no keyboard handles it.
  /// - Throws: `requestUnknown` when the keyboard does not have the field.
  @discardableResult
  func event(
    _ event: KeyboardSessionStateMachine.Event, key: Keyboard.Input.Event? = nil
  ) throws(ExtensionError) -> [KeyboardSessionStateMachine.Action] {
    try state.withLock { field throws(ExtensionError) in try step(event, &field, key: key) }
  }

  func step(
    _ event: KeyboardSessionStateMachine.Event, _ field: inout Field, key: Keyboard.Input.Event? = nil
  ) throws(ExtensionError) -> [KeyboardSessionStateMachine.Action] {
    let actions: [KeyboardSessionStateMachine.Action]
    do throws(KeyboardRefusal) { actions = try field.machine.event(event) } catch {
      throw KeyboardService.noSession(of: process.caller.identity.displayName)
    }
    for action in actions {
      switch action {
      case .unmark: try? field.document.apply([.unmarkText])
      case .insert: if let key { try? field.document.apply(KeyboardRules.edits(for: key)) }
      default: break
      }
    }
    return actions
  }

  /// Notifies the keyboard of a change, in order with its calls. Does nothing after the keyboard has exited.
  func tell(_ change: some Keyboard.Change) {
    try? process.post(change)
  }
}
