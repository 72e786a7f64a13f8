package import CommandLineTool
package import EventLoop
import Glibc

/// The keys of the terminal at standard input, one by one, for as long as a scope lasts.
package enum TerminalKeys {
  /// How long the rest of an escape sequence may take; what comes later is another key.
  private static let patience = Duration.milliseconds(50)

  /// What has been read and is no key yet. It stays on the loop's thread.
  private final class Reading {
    var reader = TerminalKeyReader()
    var timer: TimerToken?
    var watch: Watch?
  }

  /// Whether there is a terminal to read keys from and one to draw on.
  package static func arePossible(_ invocation: Invocation) -> Bool {
    !invocation.wantsJSON && isatty(STDIN_FILENO) == 1 && invocation.console.terminal.isTerminal
  }

  /// Runs the body with the terminal in raw mode.
  ///
  /// - Parameter press: gets each key on the loop's thread; `nil` when the terminal is gone.
  package static func with<Value>(
    on loop: EventLoop, _ press: @escaping (TerminalKey?) -> Void, _ body: () async throws -> Value
  ) async throws -> Value {
    try await RawTerminal.with {
      let reading = Reading()
      reading.watch = try loop.watch(STDIN_FILENO, for: .reading) { _ in read(reading, on: loop, press) }
      defer {
        if let watch = reading.watch { loop.unwatch(watch) }
        if let timer = reading.timer { loop.cancel(timer) }
      }
      return try await body()
    }
  }

  private static func read(_ reading: Reading, on loop: EventLoop, _ press: @escaping (TerminalKey?) -> Void) {
    // Somebody asks the user something: the answer is not for the screen.
    guard !RawTerminal.isLent else { return }
    var chunk = [UInt8](repeating: 0, count: 1024)
    let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    if let timer = reading.timer { loop.cancel(timer) }
    reading.timer = nil
    guard count > 0 else {
      // The end can always be read.
      if let watch = reading.watch { loop.unwatch(watch) }
      reading.watch = nil
      return press(nil)
    }
    for key in reading.reader.feed(chunk[..<count]) { press(key) }
    guard reading.reader.isTorn else { return }
    reading.timer = loop.schedule(after: patience) {
      reading.timer = nil
      for key in reading.reader.flush() { press(key) }
    }
  }
}
