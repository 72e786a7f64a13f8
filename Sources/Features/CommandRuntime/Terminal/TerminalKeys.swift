package import CommandLineTool
import EventLoop
import Glibc
import Synchronization

/// The key presses at the terminal on standard input, for a scope.
package enum TerminalKeys {
  /// How long the rest of an escape sequence may take; what comes later is another key.
  private static let patience = Duration.milliseconds(50)

  /// What has been read and is no key yet.
  private final class Reading: Sendable {
    private let state = Mutex((reader: TerminalKeyReader(), timer: TimerToken?.none))
    private let loop: EventLoop
    private let press: @Sendable (TerminalKey?) -> Void

    init(on loop: EventLoop, _ press: @escaping @Sendable (TerminalKey?) -> Void) {
      self.loop = loop
      self.press = press
    }

    /// On the loop's thread.
    func take(_ bytes: [UInt8]?) {
      stop()
      guard let bytes else { return press(nil) }
      let (keys, isTorn) = state.withLock { state in (state.reader.feed(bytes), state.reader.isTorn) }
      for key in keys { press(key) }
      guard isTorn else { return }
      let timer = loop.schedule(after: TerminalKeys.patience) { [self] in
        for key in state.withLock({ $0.reader.flush() }) { press(key) }
      }
      state.withLock { $0.timer = timer }
    }

    func stop() {
      if let timer = state.withLock({ $0.timer.take() }) { loop.cancel(timer) }
    }
  }

  /// Whether there is a terminal to read keys from and one to draw on.
  package static func arePossible(_ invocation: Invocation) -> Bool {
    !invocation.wantsJSON && isatty(STDIN_FILENO) == 1 && invocation.console.terminal.movesCursor
  }

  /// Runs the body with the terminal in raw mode.
  ///
  /// - Parameter press: gets each key on the loop's thread; `nil` when the terminal is gone.
  package static func with<Value>(
    _ invocation: Invocation, _ press: @escaping @Sendable (TerminalKey?) -> Void, _ body: () async throws -> Value
  ) async throws -> Value {
    try await RawTerminal.with(.keys) {
      let reading = Reading(on: invocation.loop, press)
      defer { reading.stop() }
      return try await invocation.input.reading({ reading.take($0) }, body)
    }
  }
}
