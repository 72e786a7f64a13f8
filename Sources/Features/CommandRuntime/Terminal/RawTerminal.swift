import CLinux
import Glibc
import Synchronization

/// A terminal that hands over each key as it is pressed, or shows nothing of what is typed, for as long as a scope lasts.
///
/// It is put back at the end of the scope, when the process exits, and when a signal stops or ends it: a crash, too. Nothing
/// can be done about SIGKILL and SIGSTOP.
package enum RawTerminal {
  /// Where the settings lie that are put back: a handler of signals may not allocate.
  private static let saved = UInt(bitPattern: UnsafeMutablePointer<termios>.allocate(capacity: 1))
  /// Where the number of the mode lies that the terminal is in; 0 is its own.
  private static let mode = UInt(bitPattern: UnsafeMutablePointer<Int32>.allocate(capacity: 1))
  private static let (raw, hidden) = (Int32(1), Int32(2))
  /// Whether a scope in raw mode lasts.
  private static let isActive = Atomic(false)
  private static let lent = Atomic(false)
  private static let installed: Void = {
    UnsafeMutablePointer<Int32>(bitPattern: mode)?.initialize(to: 0)
    atexit { _ = RawTerminal.restore() }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      _ = RawTerminal.restore()
      raise(number)
    }
    // The second time, the signal does what it does to every process.
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
    for number in [SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE] {
      sigaction(number, &action, nil)
    }
    // Where no shell could let the process go on, the signal is ignored, and stays so.
    if clinux_is_ignored(SIGTSTP) == 0 { hearStops() }
  }()

  private static func hearStops() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let mode = RawTerminal.restore()
      // Stops the process, here, until the shell lets it go on.
      raise(number)
      RawTerminal.hearStops()
      if mode != 0 { RawTerminal.enter(mode) }
    }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER | SA_RESTART
    sigaction(SIGTSTP, &action, nil)
  }

  /// Runs the body with the terminal at standard input in raw mode; output is processed as ever.
  package static func with<Value>(_ body: () async throws -> Value) async throws -> Value {
    _ = installed
    isActive.store(true, ordering: .relaxed)
    enter(raw)
    defer {
      isActive.store(false, ordering: .relaxed)
      _ = restore()
    }
    return try await body()
  }

  /// Whether the terminal edits lines for the time of a question: what is typed is the answer, and nothing may be drawn.
  package static var isLent: Bool { lent.load(ordering: .relaxed) }

  /// Runs the body, which asks the user for a line, with the terminal as it was before.
  static func lending<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    guard isActive.load(ordering: .relaxed), restore() != 0 else { return try await body() }
    lent.store(true, ordering: .relaxed)
    defer {
      lent.store(false, ordering: .relaxed)
      if isActive.load(ordering: .relaxed) { enter(raw) }
    }
    return try await body()
  }

  /// Runs the body with a terminal that edits lines as ever and shows nothing of them but their ends.
  package static func withoutEcho<Value>(_ body: () async throws -> Value) async throws -> Value {
    _ = installed
    enter(hidden)
    defer { _ = restore() }
    return try await body()
  }

  /// Stops the process as Ctrl-Z does in other programs, with the terminal as it was. Returns when the process goes on, in
  /// raw mode again.
  package static func stop() { raise(SIGTSTP) }

  private static func enter(_ mode: Int32) {
    guard let saved = UnsafeMutablePointer<termios>(bitPattern: saved) else { return }
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    saved.initialize(to: settings)
    UnsafeMutablePointer<Int32>(bitPattern: Self.mode)?.pointee = mode
    if mode == hidden {
      settings.c_lflag &= ~tcflag_t(ECHO)
      settings.c_lflag |= tcflag_t(ECHONL)
      tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
      return
    }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(ICRNL | IXON | ISTRIP | INLCR)
    settings.c_cc.6 = 1  // VMIN
    settings.c_cc.5 = 0  // VTIME
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  /// - Returns: the mode that it was in.
  private static func restore() -> Int32 {
    guard let current = UnsafeMutablePointer<Int32>(bitPattern: mode), current.pointee != 0,
      let settings = UnsafeMutablePointer<termios>(bitPattern: saved)
    else { return 0 }
    let was = current.pointee
    current.pointee = 0
    tcsetattr(STDIN_FILENO, TCSANOW, settings)
    return was
  }
}
