import CommandLineTool
import CommandRuntime
import Contracts
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostServices
import JSON

/// Types each line of standard input through one keyboard, character by character, and prints what became of it.
final class TypedLines {
  private static let maximumLine = 1 << 16

  private let invocation: Invocation
  private let stack: HostStack
  private let entry: RegistryEntry
  private let template: KeyboardField
  private var lines: AsyncThrowingStream<String, any Error>.Iterator?
  /// The line that is being typed, what is left of it, and what the last key offered.
  private var field: KeyboardField?
  private var keys: ArraySlice<Character> = []
  private var candidates: [String] = []
  /// Whether the keyboard was started again for this line: once is enough.
  private var wasRestarted = false

  init(_ invocation: Invocation, _ stack: HostStack, _ entry: RegistryEntry, _ field: KeyboardField) {
    self.invocation = invocation
    self.stack = stack
    self.entry = entry
    template = field
  }

  func run() async throws -> ExitStatus {
    let (lines, watch) = try read()
    defer { invocation.loop.unwatch(watch) }
    self.lines = lines.makeAsyncIterator()
    guard KeyboardRules.replacement(for: template.traits, appAllowsKeyboards: template.allowsKeyboards) == nil else {
      // The keyboard is not even started.
      while let field = try await nextField() { finish(field, typeBySystem(field.document), replacement) }
      return .success
    }
    while try await nextField() != nil {
      do {
        try await stack.withExtension(entry) { process in
          while let field = try await nextField() { if try await !type(field, process) { return } }
        }
      } catch let error as ExtensionError where error.isOpenAccessWithdrawn && !wasRestarted {
        // It was taken away between two lines.
        wasRestarted = true
      }
    }
    return .success
  }

  private var replacement: Keyboard.End.Reason? {
    KeyboardRules.replacement(for: template.traits, appAllowsKeyboards: template.allowsKeyboards)
  }

  /// The field of the line that is not finished, or of the next.
  private func nextField() async throws -> KeyboardField? {
    if let field { return field }
    guard let line = try await lines?.next(isolation: #isolation) else { return nil }
    var field = template
    field.documentIdentifier = KeyboardField().documentIdentifier
    field.primaryLanguage = entry.primaryLanguage
    self.field = field
    keys = Array(line)[...]
    candidates = []
    wasRestarted = false
    return field
  }

  /// Types the rest of the line.
  ///
  /// - Returns: false when the keyboard has to be started again, for the same line or the next.
  private func type(_ field: KeyboardField, _ process: ExtensionProcess) async throws -> Bool {
    var failure: ExtensionError?
    do {
      let session = try await stack.keyboard.withSession(of: process, for: field) { session in
        while let key = keys.first {
          defer { self.field?.document = session.document }
          let outcome = try await session.press(Self.event(for: key))
          keys.removeFirst()
          candidates = outcome.candidates
          failure = outcome.failure ?? failure
        }
        return session
      }
      if let failure { warn(failure) }
      finish(field, session.document, session.departure, failed: failure != nil)
      return failure == nil
    } catch let error as ExtensionError where error.isOpenAccessWithdrawn && !wasRestarted {
      wasRestarted = true
      return false
    } catch let error as ExtensionError where error.code != .cancelled {
      warn(error)
      finish(field, typeBySystem(self.field?.document ?? field.document), nil, failed: true)
      return false
    }
  }

  private func warn(_ error: ExtensionError) {
    invocation.console.warn("\(error.message) The system's keyboard took over.")
  }

  private func typeBySystem(_ document: TextDocument) -> TextDocument {
    var document = document
    for key in keys { try? document.apply(KeyboardRules.edits(for: Self.event(for: key))) }
    candidates = []
    return document
  }

  static func event(for key: Character) -> Keyboard.Input.Event {
    switch key {
    case " ": Keyboard.Input.Event("space")
    case "\t": Keyboard.Input.Event("tab")
    case "\u{8}", "\u{7F}": Keyboard.Input.Event("delete")
    default: Keyboard.Input.Event(String(key))
    }
  }

  private func finish(
    _ field: KeyboardField, _ document: TextDocument, _ reason: Keyboard.End.Reason?, failed: Bool = false
  ) {
    self.field = nil
    keys = []
    guard invocation.wantsJSON else {
      return invocation.console.write(data: document.text + "\n")
    }
    var object = JSONObject()
    object["id"] = .string(entry.identifier)
    object["text"] = .string(document.text)
    object["candidates"] = .array(candidates.map { .string($0) })
    if let reason = failed ? "failed" : reason?.rawValue { object["replacedBySystemKeyboard"] = .string(reason) }
    invocation.printJSONLine(.object(object))
  }

  /// Standard input, line by line, as it comes.
  private func read() throws -> (AsyncThrowingStream<String, any Error>, Watch) {
    let (lines, continuation) = AsyncThrowingStream.makeStream(of: String.self, throwing: (any Error).self)
    var rest: [UInt8] = []
    var own: Watch?
    let loop = invocation.loop
    // The end of a stream is always readable, so a watch would be called again and again.
    func stop() { if let own { loop.unwatch(own) } }
    let watch = try invocation.loop.watch(STDIN_FILENO, for: .reading) { _ in
      var chunk = [UInt8](repeating: 0, count: 1 << 14)
      let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      rest += chunk[..<max(0, count)]
      while let end = rest.firstIndex(of: 0x0A) {
        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
        rest.removeSubrange(...end)
      }
      if rest.count > Self.maximumLine {
        continuation.finish(
          throwing: ExtensionError(
            .invalidParams, "A line of standard input is longer than \(Self.maximumLine) bytes.",
            recovery: "Type less into one field."))
        return stop()
      }
      guard count <= 0 else { return }
      if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
      rest = []
      continuation.finish()
      stop()
    }
    own = watch
    return (lines, watch)
  }
}

extension ExtensionError {
  /// Whether a keyboard was ended because its open access was taken away: it may be started again, without.
  var isOpenAccessWithdrawn: Bool {
    code == .permissionDenied && details["permission"] == .string(PermissionKind.openAccess.name)
  }
}
