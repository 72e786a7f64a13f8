public import Contracts
import ExtensionHosting
public import ExtensionProtocol
import JSON
import Synchronization

/// A text field that a custom keyboard writes into.
///
/// A key press is never lost: when the keyboard does not answer within two seconds, dies, or answers with edits that
/// cannot be applied, the key is inserted as it is and the system's keyboard has the field from then on.
public final class KeyboardSession: Sendable {
  /// The result of one key press.
  public struct Outcome: Sendable, Equatable {
    /// Suggestions for the user, the best first.
    public var candidates: [String] = []
    /// Whether the system's keyboard inserted the key unchanged.
    public var bySystemKeyboard = false
    /// The reason the custom keyboard lost the field with this key; `nil` when it did not.
    public var failure: ExtensionError?
    /// Whether the keyboard asks the host to show the list of keyboards.
    public var wantsInputModeList = false
  }

  /// The time limit of a keyboard's answer to a key, after which the system's keyboard takes over. An answer that takes
  /// more than a tenth of a second is logged.
  public static let deadline = Duration.seconds(2)
  /// The most candidates of one answer that are shown.
  static let maximumCandidates = 32
  /// The longest candidate that is offered, in bytes.
  static let longestCandidate = 1024

  /// Names the session in the calls between host and keyboard.
  public let id: String
  /// The identifier of the text field, which stays the same for its next keyboard.
  public let documentIdentifier: String
  /// Whether the manifest asked for open access and the user granted it when the session began.
  public let hasFullAccess: Bool
  /// The language of the keyboard that had the text before this one.
  private let documentInputMode: String?
  let process: ExtensionProcess
  let service: KeyboardService
  private let needsInputModeSwitchKey: Bool
  private let allowsKeyboards: Bool
  let state: Mutex<Field>

  struct Field {
    var machine = KeyboardSessionStateMachine()
    var document: TextDocument
    var traits: KeyboardTraits
    var primaryLanguage: String?
    var hasDictationKey = false
    var wantsInputModeList = false
  }

  init(_ id: String, process: ExtensionProcess, service: KeyboardService, _ field: KeyboardField) {
    self.id = id
    self.process = process
    self.service = service
    documentIdentifier = field.documentIdentifier
    documentInputMode = field.documentInputMode
    hasFullAccess = service.hasFullAccess(process.caller)
    needsInputModeSwitchKey = field.needsInputModeSwitchKey
    allowsKeyboards = field.allowsKeyboards
    state = Mutex(Field(document: field.document, traits: field.traits, primaryLanguage: field.primaryLanguage))
  }

  /// The current text.
  public var document: TextDocument { state.withLock { $0.document } }
  /// The language that the keyboard is for (BCP 47); the manifest's until the keyboard says another.
  public var primaryLanguage: String? { state.withLock { $0.primaryLanguage } }
  /// Whether the custom keyboard has the field and shows a dictation key, so that the host shows none.
  public var hasDictationKey: Bool { state.withLock { $0.machine.state == .custom && $0.hasDictationKey } }
  /// Whether the custom keyboard has the field.
  public var isCustom: Bool { state.withLock { $0.machine.state == .custom } }
  /// The reason the system's keyboard has the field, or the custom one left; `nil` while it has the field, and after it
  /// failed.
  public var departure: Keyboard.End.Reason? {
    switch state.withLock({ $0.machine.state }) {
    case .replaced(let reason), .left(let reason): reason
    default: nil
    }
  }

  /// Changes the traits of the field. The system's keyboard takes over when the new traits require it, and gives the
  /// field back afterwards. A keyboard that keeps the field is not notified.
  ///
  /// - Throws: the errors of `keyboard/begin`; the system's keyboard has the field then.
  public func setTraits(_ traits: KeyboardTraits) async throws(ExtensionError) {
    state.withLock { $0.traits = traits }
    try await applyTraits()
  }

  /// Gives the field to the keyboard that its traits require.
  func applyTraits() async throws(ExtensionError) {
    let (actions, begin, tenure) = try state.withLock { field throws(ExtensionError) in
      let reason = KeyboardRules.replacement(for: field.traits, appAllowsKeyboards: allowsKeyboards)
      let actions = try step(.traits(replacement: reason), &field)
      if actions.contains(.begin) { (field.hasDictationKey, field.wantsInputModeList) = (false, false) }
      let begin = Keyboard.Begin(
        sessionID: id, documentIdentifier: documentIdentifier, documentInputMode: documentInputMode,
        traits: field.traits, hasFullAccess: hasFullAccess, needsInputModeSwitchKey: needsInputModeSwitchKey,
        context: field.document.context)
      return (actions, begin, field.machine.tenure)
    }
    for action in actions {
      if case .end(let reason) = action { await end(reason) }
      guard action == .begin else { continue }
      do {
        let answer = try await process.call(begin)
        // By now the field may have been given away and come back: that is another turn.
        try state.withLock { field throws(ExtensionError) in
          guard field.machine.state == .custom, field.machine.tenure == tenure else { return }
          if let language = answer.primaryLanguage { try setPrimaryLanguage(language, &field) }
          field.hasDictationKey = answer.hasDictationKey ?? false
        }
      } catch {
        // The same of a failure.
        _ = try? state.withLock { field throws(ExtensionError) in try step(.failed(tenure: tenure), &field) }
        throw withdrawal ?? error
      }
    }
  }

  /// The user presses a key, or chooses a candidate. One is waited for before the next is pressed.
  ///
  /// - Throws: `permissionDenied` when the keyboard's open access was taken away and it was ended: the key is not
  ///   inserted; start the keyboard again and press it there. `cancelled` when the task is. Other failures are in the
  ///   outcome.
  public func press(_ event: Keyboard.Input.Event) async throws(ExtensionError) -> Outcome {
    // Also before the process is ended: what is taken away is not used once more.
    if isCustom, let withdrawal { throw withdrawal }
    guard case .ask(let tenure)? = try self.event(.key, key: event).first else {
      return Outcome(bySystemKeyboard: true)
    }
    do {
      let answer = try await process.call(
        Keyboard.Input(sessionID: id, event: event), deadline: Self.deadline)
      return try take(answer, tenure, event)
    } catch {
      if Task.isCancelled { throw ExtensionError(.cancelled, "The key was given up.") }
      if let withdrawal { throw withdrawal }
      try self.event(.failed(tenure: tenure), key: event)
      return Outcome(bySystemKeyboard: true, failure: error)
    }
  }

  /// Applies the answer to a key, if the keyboard still has the field.
  private func take(
    _ answer: Keyboard.Input.Result, _ tenure: Int, _ event: Keyboard.Input.Event
  ) throws(ExtensionError) -> Outcome {
    try state.withLock { field throws(ExtensionError) in
      let actions = try step(.answer(tenure: tenure), &field, key: event)
      guard actions == [.apply] else { return Outcome(bySystemKeyboard: true) }
      try apply(answer.edits, &field)
      if !answer.edits.isEmpty, field.machine.state == .custom {
        tell(Keyboard.TextDidChange(sessionID: id, context: field.document.context))
      }
      let outcome = Outcome(
        candidates: (answer.candidates ?? []).prefix(Self.maximumCandidates).filter {
          $0.utf8.count <= Self.longestCandidate
        },
        wantsInputModeList: field.wantsInputModeList)
      field.wantsInputModeList = false
      return outcome
    }
  }

  /// The text changes without the keyboard: the app writes, the user selects or pastes. The change runs twice when the
  /// keyboard has the field: first to see what it will change.
  public func changeText(_ change: (inout TextDocument) -> Void) {
    state.withLock { field in
      let before = field.document
      var after = before
      change(&after)
      let isTold = field.machine.state == .custom
      let (changesText, changesSelection) = (after.text != before.text, after.selection != before.selection)
      if isTold, changesText { tell(Keyboard.TextWillChange(sessionID: id, context: before.context)) }
      if isTold, changesSelection { tell(Keyboard.SelectionWillChange(sessionID: id, context: before.context)) }
      field.document = after
      if isTold, changesText { tell(Keyboard.TextDidChange(sessionID: id, context: after.context)) }
      if isTold, changesSelection { tell(Keyboard.SelectionDidChange(sessionID: id, context: after.context)) }
    }
  }

  /// The user goes to the next keyboard, whatever this one shows for it. Nothing happens when it does not have the field.
  public func switchAway() async { try? await leave(.advance) }

  /// The field is done with.
  func close() async {
    guard let actions = try? event(.close) else { return }
    for case .end(let reason) in actions { await end(reason) }
  }

  /// Ends the keyboard's use of the field. The keyboard receives `keyboard/end` even when it asked for it, so that it
  /// cleans up in one place.
  func leave(_ event: KeyboardSessionStateMachine.Event) async throws(ExtensionError) {
    for case .end(let reason) in try self.event(event) { await end(reason) }
  }

  private func end(_ reason: Keyboard.End.Reason) async {
    _ = try? await process.call(Keyboard.End(sessionID: id, reason: reason), deadline: Self.deadline)
  }
}
