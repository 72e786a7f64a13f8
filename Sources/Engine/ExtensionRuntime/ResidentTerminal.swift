import EventLoop
package import ExtensionProtocol
import Glibc
import Text
import Synchronization

/// The terminal at which a user started a containing app. The app asks questions there, which are answered line by
/// line.
package final class ResidentTerminal: Sendable {
  private let loop: EventLoop
  private let isAsking = Mutex(false)

  private static let started = Mutex<ResidentTerminal?>(nil)

  /// The terminal of this process; `nil` in an app that a host started, and where its streams are no terminal.
  package static var own: ResidentTerminal? { started.withLock { $0 } }

  private init(_ loop: EventLoop) { self.loop = loop }

  /// Makes the terminal known, when there is one.
  static func start(on loop: EventLoop) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return }
    started.withLock { $0 = ResidentTerminal(loop) }
  }

  /// Shows a line, of at most 1,000 characters, without what a terminal obeys: it may come from a server.
  package func show(_ line: String) {
    ResidentApp.write("\(line.shownInMessage(limit: 1_000))\n", to: STDOUT_FILENO)
  }

  /// Asks for a line of at most 4,095 bytes.
  ///
  /// - Parameter isHidden: whether the terminal hides what is typed.
  /// - Returns: the line without its line end; `nil` when the user ends the input (Ctrl-D).
  /// - Throws: `limitExceeded` while another question is open; `cancelled` when the request was cancelled.
  package func ask(_ prompt: String, isHidden: Bool) async throws(ExtensionError) -> String? {
    let isFirst = isAsking.withLock { isAsking in
      defer { isAsking = true }
      return !isAsking
    }
    guard isFirst else {
      throw ExtensionError(
        .limitExceeded, "The user is being asked something else at the terminal.", recovery: "Answer there first.")
    }
    defer { isAsking.withLock { $0 = false } }
    // The user may answer as soon as the question is visible, so hiding begins before it.
    if isHidden { HiddenInput.begin() }
    defer { if isHidden { HiddenInput.end() } }
    ResidentApp.write("\(prompt.shownInMessage(limit: 1_000)) ", to: STDOUT_FILENO)
    let line = await withTaskExecutorPreference(loop) { await self.line() }
    if Task.isCancelled { throw ExtensionError(.cancelled, "The question was taken back.") }
    return line
  }

  private func line() async -> String? {
    let (lines, continuation) = AsyncStream.makeStream(of: String?.self)
    // A terminal hands over whole lines, one at a time.
    let watch = try? loop.watch(STDIN_FILENO, for: .reading) { _ in
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
      continuation.yield(count > 0 ? String(text.prefix { !$0.isNewline }) : nil)
    }
    guard let watch else { return nil }
    defer { loop.unwatch(watch) }
    for await line in lines { return line }
    return nil
  }
}

/// Hides what is typed at the terminal, until hiding is ended or a signal ends the process.
private enum HiddenInput {
  /// Where the settings lie that are put back: a handler of signals may not allocate.
  private static let saved = UInt(bitPattern: UnsafeMutablePointer<termios>.allocate(capacity: 1))
  private static let isHidden = Atomic(false)
  private static let installed: Void = {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      HiddenInput.end()
      raise(number)
    }
    // The second time, the signal does what it does to every process.
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaction(number, &action, nil) }
  }()

  static func begin() {
    _ = installed
    var settings = termios()
    guard let saved = UnsafeMutablePointer<termios>(bitPattern: saved), tcgetattr(STDIN_FILENO, &settings) == 0 else {
      return
    }
    saved.initialize(to: settings)
    isHidden.store(true, ordering: .relaxed)
    settings.c_lflag &= ~tcflag_t(ECHO)
    settings.c_lflag |= tcflag_t(ECHONL)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  static func end() {
    guard isHidden.exchange(false, ordering: .relaxed), let saved = UnsafeMutablePointer<termios>(bitPattern: saved)
    else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, saved)
  }
}
