import CommandLineTool
import CommandRuntime
import Contracts
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostServices

/// `host today --watch` at a terminal: the widgets as they are, with rows to choose, until the user ends it.
struct WidgetBoard {
  /// An event while the widgets are watched.
  private enum Event: Sendable {
    /// A key; `nil` when the terminal has been closed.
    case key(TerminalKey?)
    /// Time to look at what may have changed.
    case tick
    case updated(Int, WidgetUpdate)
    case acted(Int, WidgetUpdate)
    /// The containing app answered with a text.
    case opened(title: ShownText, text: ShownText)
  }

  private static let pollInterval = Duration.seconds(1)

  private let invocation: Invocation
  private let stack: HostStack
  private let entries: [RegistryEntry]
  private let wanted: WidgetDisplayMode
  private var schedule: WidgetSchedule
  private var shown: [WidgetUpdate]
  private var screen: ChoiceScreen
  /// Places of the widgets that are being updated.
  private var updating: Set<Int> = []
  /// Whether a chosen row is not done yet.
  private var isBusy = false
  private let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init(
    _ invocation: Invocation, _ stack: HostStack, _ entries: [RegistryEntry], wanted: WidgetDisplayMode,
    interval: Double
  ) {
    self.invocation = invocation
    self.stack = stack
    self.entries = entries
    self.wanted = wanted
    schedule = WidgetSchedule(invocation, stack, entries, interval: interval)
    let presentation = WidgetPresentation(wanted: wanted, fitsScreen: true)
    shown = entries.map { WidgetUpdate.stored($0, in: presentation, on: stack) }
    screen = ChoiceScreen(sections: entries.count, columns: 80, height: 24)
    (events, continuation) = AsyncStream.makeStream(of: Event.self)
  }

  func run() async throws -> ExitStatus {
    let continuation = continuation
    return try await invocation.watching {
      try await TerminalKeys.with(invocation, { continuation.yield(.key($0)) }) {
        defer { invocation.console.show(nil) }
        var board = self
        try await board.loop()
      }
    }
  }

  private var presentation: WidgetPresentation { WidgetPresentation(wanted: wanted, fitsScreen: true) }

  private mutating func loop() async throws {
    resize()
    draw()
    try await schedule.settle()
    let (loop, continuation, events) = (invocation.loop, continuation, events)
    await withDiscardingTaskGroup { group in
      group.addTask(executorPreference: loop) {
        while (try? await loop.sleep(for: Self.pollInterval)) != nil { continuation.yield(.tick) }
      }
      refresh(Set(entries.indices), .visible, in: &group)
      for await event in events {
        guard await take(event, in: &group) else { break }
        draw()
      }
      group.cancelAll()
    }
  }

  /// - Returns: whether to continue.
  private mutating func take(_ event: Event, in group: inout DiscardingTaskGroup) async -> Bool {
    switch event {
    case .key(nil): return false
    case .key(let key?): return press(key, in: &group)
    case .tick: await poll(in: &group)
    case .updated(let index, let update):
      updating.remove(index)
      show(update, at: index)
      if updating.isEmpty { await schedule.settleContent() }
    case .acted(let index, let update):
      isBusy = false
      screen.notice = nil
      if let error = update.error {
        fail(error)
      } else {
        show(update, at: index)
      }
    case .opened(let title, let text):
      isBusy = false
      screen.open(title, text)
    }
    return true
  }

  private mutating func poll(in group: inout DiscardingTaskGroup) async {
    if TerminalSize(descriptor: STDOUT_FILENO) != drawnSize { resize() }
    guard updating.isEmpty, let due = try? await schedule.due() else { return }
    refresh(due.pushed, .push, in: &group)
    refresh(due.scheduled, .scheduled, in: &group)
  }

  /// Updates some widgets, side by side, but for those that are being updated.
  private mutating func refresh(
    _ indices: Set<Int>, _ reason: WidgetUpdateReason, in group: inout DiscardingTaskGroup
  ) {
    let (stack, presentation, continuation, loop) = (stack, presentation, continuation, invocation.loop)
    for index in indices.subtracting(updating).sorted() {
      updating.insert(index)
      let entry = entries[index]
      group.addTask(executorPreference: loop) {
        let update = await WidgetUpdate.run(entry, reason: reason, in: presentation, on: stack)
        continuation.yield(.updated(index, update))
      }
    }
  }

  // MARK: Keys

  private mutating func press(_ key: TerminalKey, in group: inout DiscardingTaskGroup) -> Bool {
    switch screen.press(key) {
    case nil: break
    case .end?: return false
    // As the terminal does it when no program reads its keys: the command ends as ever.
    case .interrupt?: kill(getpid(), SIGINT)
    case .stop?:
      RawTerminal.stop()
      resize()
    case .refresh?: refresh(Set(entries.indices), .visible, in: &group)
    case .choose(let place)?: choose(place, in: &group)
    }
    return true
  }

  private mutating func choose(_ place: ChoiceScreen.Place, in group: inout DiscardingTaskGroup) {
    guard !isBusy else { return }
    let (stack, presentation, continuation, loop) = (stack, presentation, continuation, invocation.loop)
    let (entry, row, index) = (entries[place.section], place.position, place.section)
    do throws(ExtensionError) {
      let choice = try WidgetChoice(row: row, of: shown[index])
      isBusy = true
      switch choice {
      case .open(let url):
        screen.notice = "Opening \(url) …"
        group.addTask(executorPreference: loop) { continuation.yield(await Self.open(url, from: entry, on: stack)) }
      case .act(let action):
        screen.notice = "\(entry.displayName) is at work …"
        group.addTask(executorPreference: loop) {
          let update = await WidgetUpdate.select(row, action: action, of: entry, in: presentation, on: stack)
          continuation.yield(.acted(index, update))
        }
      }
    } catch {
      screen.notice = "\(error.message)"
    }
  }

  private static func open(_ url: String, from entry: RegistryEntry, on stack: HostStack) async -> Event {
    do {
      let opened = try await stack.open(url, from: entry)
      guard opened.result.handled else {
        return .opened(title: "\(url)", text: "\(opened.app) does not know this URL.")
      }
      return .opened(title: "\(url)", text: ShownText(lines: opened.result.presentation ?? "It was opened."))
    } catch {
      return .opened(title: "\(url)", text: text(of: ExtensionError(wrapping: error)))
    }
  }

  private mutating func fail(_ error: ExtensionError) { screen.open("It could not be done", Self.text(of: error)) }

  private static func text(of error: ExtensionError) -> ShownText {
    guard let recovery = error.recovery else { return "error: \(error.message)" }
    return "error: \(error.message)\nhelp: \(recovery)"
  }

  // MARK: Screen

  private var drawnSize: TerminalSize?

  private var terminal: Terminal { invocation.console.terminal.resized(to: drawnSize?.columns) }

  private mutating func show(_ update: WidgetUpdate, at index: Int) {
    shown[index] = update
    screen.show(update.section(for: terminal), at: index)
  }

  private mutating func resize() {
    drawnSize = TerminalSize(descriptor: STDOUT_FILENO)
    screen.resize(columns: drawnSize?.columns ?? terminal.width ?? 80, height: drawnSize?.lines ?? 24)
    for (index, update) in shown.enumerated() { screen.show(update.section(for: terminal), at: index) }
    invocation.console.screen.forgetPage()
  }

  private func draw() {
    invocation.console.show(.page(screen.drawing(for: terminal)))
  }
}
