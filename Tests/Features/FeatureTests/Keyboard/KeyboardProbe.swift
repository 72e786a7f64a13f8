import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Synchronization

/// A keyboard that does what a test tells it, and notes what it hears.
struct KeyboardProbe: KeyboardExtension {
  typealias Handle = @Sendable (Keyboard.Input.Event, inout TextDocumentProxy, KeyboardInput) async throws -> [String]

  final class Notes: Sendable {
    private let kept = Mutex<[String]>([])
    private let sessions = Mutex<[KeyboardInput]>([])
    var lines: [String] { kept.withLock { $0 } }
    var begun: [KeyboardInput] { sessions.withLock { $0 } }

    func note(_ line: String) { kept.withLock { $0.append(line) } }
    func begin(_ session: KeyboardInput) { sessions.withLock { $0.append(session) } }
  }

  /// Types what is pressed, and offers nothing.
  static let typing: Handle = { event, text, _ in
    switch event.key {
    case "delete": text.deleteBackward()
    default: text.insertText(event.key)
    }
    return []
  }

  @TaskLocal static var handling = typing
  @TaskLocal static var notes = Notes()
  @TaskLocal static var dictating = false
  let hasDictationKey = Self.dictating
  private let handling = Self.handling
  private let notes = Self.notes

  func viewWillAppear(_ session: KeyboardInput) async throws {
    notes.note("begin")
    notes.begin(session)
  }

  func handle(
    _ event: Keyboard.Input.Event, text: inout TextDocumentProxy, in session: KeyboardInput
  ) async throws -> [String] {
    try await handling(event, &text, session)
  }

  func layout(for traits: KeyboardTraits) -> [[String]]? { [["a", "b"]] }

  private func note(_ name: String, _ context: KeyboardContext) {
    notes.note("\(name) \(context.contextBefore ?? "")|\(context.selectedText ?? "")|\(context.contextAfter ?? "")")
  }

  func textWillChange(_ context: KeyboardContext, in session: KeyboardInput) async { note("will", context) }
  func textDidChange(_ context: KeyboardContext, in session: KeyboardInput) async { note("did", context) }
  func selectionWillChange(_ context: KeyboardContext, in session: KeyboardInput) async {
    note("selection will", context)
  }
  func selectionDidChange(_ context: KeyboardContext, in session: KeyboardInput) async {
    note("selection did", context)
  }
  func viewDidDisappear(_ session: KeyboardInput, reason: Keyboard.End.Reason) async {
    notes.note("end \(reason.rawValue)")
  }
}

/// A host for one keyboard.
struct KeyboardStage: Sendable {
  static let identity = Caller.Identity.testing(point: .keyboard, permissions: [AskedPermission("open-access")])

  var identity = Self.identity
  var permissions: PermissionAuthority?
  var log: any LogSink = NoLog()
  var lexicon: [KeyboardService.LexiconEntry] = []
  var services: [any HostService] = []
  let notes = KeyboardProbe.Notes()

  /// Runs the body with a field that the probe has.
  func withField<Value: Sendable>(
    _ handle: @escaping KeyboardProbe.Handle = KeyboardProbe.typing, for field: KeyboardField = KeyboardField(),
    _ body: @escaping @Sendable (KeyboardSession) async throws -> Value
  ) async throws -> Value {
    let service = KeyboardService(permissions: permissions) { lexicon }
    let host = TestHost(services: services + [service], log: log, permissions: permissions)
    return try await KeyboardProbe.$notes.withValue(notes) {
      try await KeyboardProbe.$handling.withValue(handle) {
        try await host.withExtension(KeyboardProbe.self, identity: identity) { process in
          try await service.withSession(of: process, for: field, body)
        }
      }
    }
  }
}

extension KeyboardSession {
  /// Presses plain keys, one after the other.
  func press(_ first: String, _ keys: String...) async throws -> Outcome {
    var outcome = try await press(Keyboard.Input.Event(first))
    for key in keys { outcome = try await press(Keyboard.Input.Event(key)) }
    return outcome
  }
}
