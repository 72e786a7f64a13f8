public import Contracts
import ExtensionHosting
public import ExtensionProtocol
import Synchronization

/// A text field that a custom keyboard writes into.
///
/// A key press is never lost: when the keyboard does not answer within two seconds, dies, or answers with edits that
/// cannot be applied, the key is inserted as it is and the system's keyboard has the field from then on.
public final class KeyboardSession: Sendable {
  /// What one key press came to.
  public struct Outcome: Sendable, Equatable {
    /// What the user might mean, best first.
    public var candidates: [String] = []
    /// Whether the key was inserted as it is.
    public var bySystemKeyboard = false
    /// Why the custom keyboard lost the field with this key.
    public var failure: ExtensionError?
  }

  /// A keyboard's answer to a key may take this long before it is noted, and this long before the system takes over.
  public static let deadlines = (soft: Duration.milliseconds(100), hard: Duration.seconds(2))

  public let id: String
  private let process: ExtensionProcess
  private let service: KeyboardService
  private let state: Mutex<Field>

  private struct Field {
    var machine = KeyboardSessionStateMachine()
    var document: TextDocument
    var traits: KeyboardTraits
    var documentIdentifier: String
    var primaryLanguage: String?
    var departure: Keyboard.End.Reason?
    let hasFullAccess: Bool
    let allowsKeyboards: Bool
    let needsInputModeSwitchKey: Bool
  }

  init(
    _ id: String, process: ExtensionProcess, service: KeyboardService, document: TextDocument, traits: KeyboardTraits,
    hasFullAccess: Bool, allowsKeyboards: Bool, needsInputModeSwitchKey: Bool
  ) {
    self.id = id
    self.process = process
    self.service = service
    state = Mutex(
      Field(
        document: document, traits: traits, documentIdentifier: RequestIDs.next(), hasFullAccess: hasFullAccess,
        allowsKeyboards: allowsKeyboards, needsInputModeSwitchKey: needsInputModeSwitchKey))
  }

  public var document: TextDocument { state.withLock { $0.document } }
  /// The language that the keyboard is for, where it said so.
  public var primaryLanguage: String? { state.withLock { $0.primaryLanguage } }
  /// Whether the custom keyboard has the field.
  public var isCustom: Bool { state.withLock { $0.machine.state == .custom } }
  /// Why the system's keyboard has the field, or why the custom one left.
  public var replacement: Keyboard.End.Reason? {
    state.withLock { field in
      if case .replaced(let reason) = field.machine.state { reason } else { field.departure }
    }
  }

  /// The field gets the keyboard.
  ///
  /// - Throws: what `keyboard/begin` throws; the system's keyboard has the field then.
  func begin() async throws(ExtensionError) {
    try await applyTraits()
  }

  /// The field changes what it is for.
  ///
  /// - Throws: what the call throws that shows or hides the custom keyboard.
  public func setTraits(_ traits: KeyboardTraits) async throws(ExtensionError) {
    state.withLock { $0.traits = traits }
    try await applyTraits()
  }

  private func applyTraits() async throws(ExtensionError) {
    let (actions, begin) = try state.withLock { field throws(ExtensionError) in
      let reason = KeyboardRules.replacement(for: field.traits, appAllowsKeyboards: field.allowsKeyboards)
      let actions = try Self.step(&field.machine, .traits(replacement: reason), process)
      return (
        actions,
        Keyboard.Begin(
          sessionID: id, documentIdentifier: field.documentIdentifier, traits: field.traits,
          hasFullAccess: field.hasFullAccess, needsInputModeSwitchKey: field.needsInputModeSwitchKey,
          context: field.document.context)
      )
    }
    for action in actions {
      switch action {
      case .begin:
        do {
          let answer = try await process.call(begin)
          state.withLock { if let language = answer.primaryLanguage { $0.primaryLanguage = language } }
        } catch {
          _ = try? event(.failed)
          throw error
        }
      case .end(let reason): await end(reason)
      default: break
      }
    }
  }

  /// The user presses a key, or chooses a candidate.
  ///
  /// - Throws: `requestUnknown` when the field is done with; the keyboard's failures are in the outcome.
  public func press(_ event: Keyboard.Input.Event) async throws(ExtensionError) -> Outcome {
    guard try self.event(.key) == [.ask] else { return insert(event) }
    do {
      let start = ContinuousClock.now
      let answer = try await process.call(
        Keyboard.Input(sessionID: id, event: event), deadline: Self.deadlines.hard)
      if ContinuousClock.now - start > Self.deadlines.soft { service.noteSlowKey(of: process.caller) }
      try apply(answer.edits)
      if !answer.edits.isEmpty {
        await process.notify(Keyboard.TextDidChange(sessionID: id, context: document.context))
      }
      return Outcome(candidates: answer.candidates ?? [])
    } catch {
      _ = try self.event(.failed)
      return insert(event, failure: error)
    }
  }

  /// What the system's keyboard does with a key.
  private func insert(_ event: Keyboard.Input.Event, failure: ExtensionError? = nil) -> Outcome {
    let edits: [KeyboardEdit] =
      switch event.key {
      case "delete": [.deleteBackward(1)]
      case "return": [.insertText("\n")]
      case "space": [.insertText(" ")]
      case "tab": [.insertText("\t")]
      case "nextKeyboard": []
      default: [.insertText(event.key)]
      }
    state.withLock { try? $0.document.apply(edits) }
    return Outcome(bySystemKeyboard: true, failure: failure)
  }

  /// The text changes without the keyboard: the app writes, the user selects or pastes.
  public func changeText(_ change: (inout TextDocument) -> Void) async {
    let (isCustom, before) = state.withLock { ($0.machine.state == .custom, $0.document) }
    if isCustom {
      await process.notify(Keyboard.SelectionWillChange(sessionID: id, context: before.context))
      await process.notify(Keyboard.TextWillChange(sessionID: id, context: before.context))
    }
    let after = state.withLock { field in
      change(&field.document)
      return field.document
    }
    guard isCustom else { return }
    if after.text != before.text {
      await process.notify(Keyboard.TextDidChange(sessionID: id, context: after.context))
    }
    if after.selection != before.selection {
      await process.notify(Keyboard.SelectionDidChange(sessionID: id, context: after.context))
    }
  }

  /// The field is done with.
  func close() async {
    guard let actions = try? event(.close) else { return }
    for case .end(let reason) in actions { await end(reason) }
  }

  private func end(_ reason: Keyboard.End.Reason) async {
    state.withLock { $0.departure = reason }
    _ = try? await process.call(Keyboard.End(sessionID: id, reason: reason), deadline: .seconds(2))
  }

  // MARK: Calls of the keyboard

  func edit(_ edits: [KeyboardEdit]) throws(ExtensionError) -> KeyboardContext {
    _ = try event(.call)
    try apply(edits)
    return document.context
  }

  func setPrimaryLanguage(_ language: String) throws(ExtensionError) {
    _ = try event(.call)
    guard !language.isEmpty, language.utf8.count <= 64 else {
      throw ExtensionError(
        .invalidParams, "This is not a language tag.", recovery: "Give a BCP 47 tag, for example de-CH.")
    }
    state.withLock { $0.primaryLanguage = language }
  }

  func requireField() throws(ExtensionError) { _ = try event(.call) }

  /// The keyboard gives the field up.
  func leave(_ event: KeyboardSessionStateMachine.Event) async throws(ExtensionError) {
    // The keyboard knows: it asked. `keyboard/end` still comes, so that there is one place to clean up.
    for case .end(let reason) in try self.event(event) { await end(reason) }
  }

  private func apply(_ edits: [KeyboardEdit]) throws(ExtensionError) {
    let refusal = state.withLock { field -> TextDocument.Refusal? in
      do throws(TextDocument.Refusal) {
        try field.document.apply(edits)
        return nil
      } catch {
        return error
      }
    }
    guard let refusal else { return }
    let why = refusal == .tooLong ? "the text would be too long" : "a count or a range does not fit the text"
    throw ExtensionError(
      .invalidParams, "The edits of \(process.caller.identity.displayName) cannot be applied: \(why).",
      recovery: "None of them was applied. Count in characters, and mark only what setMarkedText inserts.")
  }

  private typealias Machine = KeyboardSessionStateMachine

  private func event(_ event: Machine.Event) throws(ExtensionError) -> [Machine.Action] {
    try state.withLock { field throws(ExtensionError) in try Self.step(&field.machine, event, process) }
  }

  private static func step(
    _ machine: inout KeyboardSessionStateMachine, _ event: KeyboardSessionStateMachine.Event,
    _ process: ExtensionProcess
  ) throws(ExtensionError) -> [KeyboardSessionStateMachine.Action] {
    do {
      return try machine.event(event)
    } catch {
      throw KeyboardService.noSession(of: process.caller.identity.displayName)
    }
  }
}
