import CommandLineTool
import CommandRuntime
import Contracts
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostServices

/// A line at a terminal that is typed through keyboards: each key goes to the one that has the field.
final class FieldEditor {
  /// How a keyboard's turn in the field ended.
  enum End: Equatable {
    case done(String)
    case cancelled
    /// Another keyboard has its turn; its place among the keyboards.
    case keyboard(Int)
  }

  /// Takes the line and what stands below it off the screen.
  private static let clearing: ShownText = "\r\u{1B}[J"

  private let invocation: Invocation
  private let stack: HostStack
  private let keyboards: [RegistryEntry]
  private(set) var field: KeyboardField
  private var place = 0
  /// A key that the keyboard was ended under, for its next process.
  private var pending: Keyboard.Input.Event?
  private var candidates: [String] = []
  private var notice: ShownText = ""
  private let continuation: AsyncStream<[UInt8]>.Continuation
  private var typed: AsyncStream<[UInt8]>.Iterator
  private var decoder = KeyStrokes()
  /// What was typed and not yet taken.
  private var strokes: ArraySlice<KeyStroke> = []

  init(_ invocation: Invocation, _ stack: HostStack, _ keyboards: [RegistryEntry], _ field: KeyboardField) {
    self.invocation = invocation
    self.stack = stack
    self.keyboards = keyboards
    self.field = field
    let (typed, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    self.typed = typed.makeAsyncIterator()
    self.continuation = continuation
  }

  /// - Returns: the text; `nil` when the user gives up.
  func run() async throws -> String? {
    try await RawTerminal.with(.keys) {
      defer { invocation.console.show(nil) }
      let take: TerminalInput.Reader = { [continuation] bytes in
        if let bytes { continuation.yield(bytes) } else { continuation.finish() }
      }
      return try await invocation.input.reading(take) { try await turns() }
    }
  }

  private func turns() async throws -> String? {
    while true {
      let end = place < keyboards.count ? try await turn(of: keyboards[place]) : try await type(nil)
      switch end {
      case .done(let text): return text
      case .cancelled: return nil
      case .keyboard(let next):
        place = next
        candidates = []
      }
    }
  }

  private func turn(of entry: RegistryEntry) async throws -> End {
    field.primaryLanguage = entry.primaryLanguage
    let hadPending = pending != nil
    do {
      return try await stack.withExtension(entry) { process in
        do {
          return try await stack.keyboard.withSession(of: process, for: field) { try await type($0) }
        } catch let error as ExtensionError where error.isOpenAccessWithdrawn && !hadPending {
          notice = "\(entry.displayName) lost its open access, and runs without it."
          return .keyboard(place)
        }
      }
    } catch let error as ExtensionError where error.code != .cancelled {
      notice = "\(error.message) The system's keyboard took over."
      return .keyboard(keyboards.count)
    }
  }

  /// Types until the turn ends. Without a session the system's keyboard has the field.
  private func type(_ session: KeyboardSession?) async throws -> End {
    defer {
      if let session {
        field.document = session.document
        field.documentInputMode = session.primaryLanguage
      }
    }
    if let key = pending {
      pending = nil
      if let end = try await press(key, session) { return end }
    }
    while true {
      if let session { field.document = session.document }
      draw(session)
      guard let stroke = try await next() else { return .cancelled }
      notice = ""
      if let end = try await take(stroke, session) { return end }
    }
  }

  /// Does what a key stroke says.
  ///
  /// - Returns: how the turn ends, if it does.
  func take(_ stroke: KeyStroke, _ session: KeyboardSession?) async throws -> End? {
    let caret = field.document.selection.lowerBound
    switch stroke {
    case .cancel: return .cancelled
    case .stop:
      invocation.console.show(nil)
      RawTerminal.stop()
    case .text(" "): return try await press(.init("space"), session)
    case .text(let character): return try await press(.init(String(character)), session)
    case .delete: return try await press(.init("delete"), session)
    case .enter: return try await press(.init("return"), session)
    case .tab where candidates.isEmpty: return try await press(.init("tab"), session)
    case .tab: return try await press(.init(candidates[0], kind: .candidate), session)
    case .choice(let index):
      guard candidates.indices.contains(index) else { return nil }
      return try await press(.init(candidates[index], kind: .candidate), session)
    case .left: select(caret - 1, session)
    case .right: select(caret + 1, session)
    case .start: select(0, session)
    case .end: select(field.document.count, session)
    case .toggleSecure:
      field.traits.isSecureTextEntry.toggle()
      candidates = []
      try await session?.setTraits(field.traits)
    case .nextKeyboard:
      if let session, session.isCustom {
        // The keyboard is asked first; one that does not go is left.
        if let end = try await press(.init("nextKeyboard"), session) { return end }
        await session.switchAway()
      }
      return .keyboard(following)
    case .listKeyboards:
      guard let session, session.isCustom else { return try await chooseKeyboard(session) }
      return try await press(.init("nextKeyboard", kind: .longPress), session)
    }
    return nil
  }

  private func press(_ key: Keyboard.Input.Event, _ session: KeyboardSession?) async throws -> End? {
    var departure: Keyboard.End.Reason?
    if let session {
      do {
        let outcome = try await session.press(key)
        candidates = outcome.candidates
        if let failure = outcome.failure { notice = "\(failure.message) The system's keyboard took over." }
        if outcome.wantsInputModeList, let end = try await chooseKeyboard(session) { return end }
      } catch let error as ExtensionError where error.isOpenAccessWithdrawn {
        pending = key
        throw error
      }
      field.document = session.document
      departure = session.departure
    } else {
      try? field.document.apply(KeyboardRules.edits(for: key))
    }
    let text = field.document.text
    // A field of one line takes a new line for its end.
    if text.contains(where: \.isNewline) { return .done(text.filter { !$0.isNewline }) }
    switch departure {
    case .switched: return .keyboard(following)
    case .dismissed: return .keyboard(keyboards.count)
    default: return nil
    }
  }

  /// The next keyboard, in a ring whose last is the system's.
  private var following: Int { (place + 1) % (keyboards.count + 1) }

  private func chooseKeyboard(_ session: KeyboardSession?) async throws -> End? {
    let names = keyboards.map(\.displayName) + ["System"]
    notice = "Keyboards: \(FieldView.line(of: names))"
    draw(session)
    notice = ""
    switch try await next() {
    case nil: return .cancelled
    case .text(let digit)?:
      guard let number = digit.wholeNumberValue, (1...names.count).contains(number) else { return nil }
      await session?.switchAway()
      return .keyboard(number - 1)
    default: return nil
    }
  }

  private func select(_ position: Int, _ session: KeyboardSession?) {
    let position = max(0, min(field.document.count, position))
    candidates = []
    guard let session else { return field.document.select(position..<position) }
    session.changeText { $0.select(position..<position) }
  }

  private func next() async throws -> KeyStroke? {
    let stop: @Sendable () -> Void = { [continuation] in continuation.finish() }
    while strokes.isEmpty {
      let bytes = await invocation.interruption.heard(by: stop) { await typed.next(isolation: #isolation) }
      if invocation.interruption.signal != nil { throw CancellationError() }
      try Task.checkCancellation()
      guard let bytes else { return nil }
      strokes = decoder.feed(bytes)[...]
    }
    return strokes.popFirst()
  }

  private func draw(_ session: KeyboardSession?) {
    let isCustom = session?.isCustom ?? false
    let name = isCustom ? keyboards[place].displayName : "System"
    let view = FieldView(
      label: field.traits.isSecureTextEntry ? "\(name) (password)" : name, document: field.document,
      isSecure: field.traits.isSecureTextEntry, below: notice == "" ? FieldView.line(of: candidates) : notice,
      columns: TerminalSize(descriptor: STDERR_FILENO)?.columns ?? 80)
    invocation.console.show(.drawing(view.drawing, erasing: Self.clearing))
  }
}
