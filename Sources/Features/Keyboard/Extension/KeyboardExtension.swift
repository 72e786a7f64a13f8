public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import Synchronization

/// A Custom Keyboard. Mark the type `@main`.
///
/// The host sends each key that the user presses. The keyboard changes the text through the proxy and offers
/// candidates. It cannot select text, and sees only the text around the insertion point.
public protocol KeyboardExtension: AppExtension {
  /// A text field has the keyboard.
  func viewWillAppear(_ session: KeyboardInput) async throws

  /// Handles a key. If it throws or takes more than two seconds, the system's keyboard takes over the field.
  ///
  /// - Parameters:
  ///   - event: the key: its text, or `delete`, `return`, `space`, `tab`, `nextKeyboard`; or a candidate.
  ///   - text: the proxy for edits; they reach the document when this returns.
  ///   - session: the field, and the requests to the host.
  /// - Returns: suggestions for the user, the best first.
  func handle(
    _ event: Keyboard.Input.Event, text: inout TextDocumentProxy, in session: KeyboardInput
  ) async throws -> [String]

  /// The keys that the keyboard shows, row by row, for a host that draws them; `nil` leaves that to the host.
  func layout(for traits: KeyboardTraits) -> [[String]]?

  /// Whether the keyboard shows its own dictation key, so that the host shows none.
  var hasDictationKey: Bool { get }

  /// The text is about to change, and not by this keyboard.
  func textWillChange(_ context: KeyboardContext, in session: KeyboardInput) async

  /// The text has changed, by this keyboard or by the app.
  func textDidChange(_ context: KeyboardContext, in session: KeyboardInput) async

  /// The insertion point or the selection is about to change, and not by this keyboard.
  func selectionWillChange(_ context: KeyboardContext, in session: KeyboardInput) async

  /// The insertion point or the selection has changed.
  func selectionDidChange(_ context: KeyboardContext, in session: KeyboardInput) async

  /// The keyboard goes.
  func viewDidDisappear(_ session: KeyboardInput, reason: Keyboard.End.Reason) async
}

extension KeyboardExtension {
  /// Custom Keyboards.
  public static var points: [ExtensionPointDefinition] { Keyboard.points }

  /// The default does nothing.
  public func viewWillAppear(_ session: KeyboardInput) async throws {}
  /// The default leaves the keys to the host.
  public func layout(for traits: KeyboardTraits) -> [[String]]? { nil }
  /// The default shows no dictation key.
  public var hasDictationKey: Bool { false }
  /// The default does nothing.
  public func textWillChange(_ context: KeyboardContext, in session: KeyboardInput) async {}
  /// The default does nothing.
  public func textDidChange(_ context: KeyboardContext, in session: KeyboardInput) async {}
  /// The default does nothing.
  public func selectionWillChange(_ context: KeyboardContext, in session: KeyboardInput) async {}
  /// The default does nothing.
  public func selectionDidChange(_ context: KeyboardContext, in session: KeyboardInput) async {}
  /// The default does nothing.
  public func viewDidDisappear(_ session: KeyboardInput, reason: Keyboard.End.Reason) async {}

  /// The handlers for the session, from `keyboard/begin` to `keyboard/end`, and for changes of the text.
  public var handlers: [SessionHandler] {
    let fields = KeyboardFields()
    return [
      SessionHandler(Keyboard.Begin.self) { begin, channel in
        let session = KeyboardInput(begin, channel)
        fields.open(session, begin.context)
        try await viewWillAppear(session)
        return Keyboard.Begin.Result(
          layout: layout(for: begin.traits), hasDictationKey: hasDictationKey ? true : nil)
      },
      SessionHandler(Keyboard.Input.self) { input, _ in
        let (session, context) = try fields.field(input.sessionID)
        var text = TextDocumentProxy(context)
        let candidates = try await handle(input.event, text: &text, in: session)
        fields.update(input.sessionID, text.context, from: context)
        return Keyboard.Input.Result(edits: text.edits, candidates: candidates.isEmpty ? nil : candidates)
      },
      change(Keyboard.TextWillChange.self, fields) { await textWillChange($0, in: $1) },
      change(Keyboard.TextDidChange.self, fields) { await textDidChange($0, in: $1) },
      change(Keyboard.SelectionWillChange.self, fields) { await selectionWillChange($0, in: $1) },
      change(Keyboard.SelectionDidChange.self, fields) { await selectionDidChange($0, in: $1) },
      SessionHandler(Keyboard.End.self) { end, _ in
        if let session = fields.close(end.sessionID) { await viewDidDisappear(session, reason: end.reason) }
        return Empty()
      },
    ]
  }

  /// Updates the known text after a change.
  private func change<Change: Keyboard.Change>(
    _ type: Change.Type, _ fields: KeyboardFields,
    _ tell: @escaping @Sendable (KeyboardContext, KeyboardInput) async -> Void
  ) -> SessionHandler {
    SessionHandler(notification: type) { change, _ in
      // One for a field that was ended meanwhile is no news.
      guard let session = fields.update(change.sessionID, change.context) else { return }
      await tell(change.context, session)
    }
  }
}

/// The text fields that a keyboard has, and what is known of their texts.
private final class KeyboardFields: Sendable {
  private let fields = Mutex<[String: (session: KeyboardInput, context: KeyboardContext)]>([:])

  func open(_ session: KeyboardInput, _ context: KeyboardContext) {
    fields.withLock { $0[session.id] = (session, context) }
  }

  func field(_ id: String) throws(ExtensionError) -> (KeyboardInput, KeyboardContext) {
    guard let field = fields.withLock({ $0[id] }) else {
      throw ExtensionError(.requestUnknown, "There is no text field \(id).")
    }
    return field
  }

  /// Keeps the text after a key, unless the host has told another one meanwhile.
  func update(_ id: String, _ context: KeyboardContext, from earlier: KeyboardContext) {
    fields.withLock { if $0[id]?.context == earlier { $0[id]?.context = context } }
  }

  func update(_ id: String, _ context: KeyboardContext) -> KeyboardInput? {
    fields.withLock { fields in
      fields[id]?.context = context
      return fields[id]?.session
    }
  }

  func close(_ id: String) -> KeyboardInput? { fields.withLock { $0.removeValue(forKey: id)?.session } }
}
