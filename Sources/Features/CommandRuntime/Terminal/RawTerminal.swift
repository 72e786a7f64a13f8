import CLinux
import Glibc

/// Switches the terminal to raw mode, or turns its echo off, for a scope.
///
/// The terminal is restored at the end of the scope, when the process exits, and when a signal stops or ends it,
/// including a crash. SIGKILL and SIGSTOP cannot be handled.
package enum RawTerminal {
  /// Where the settings lie that are put back: a handler of signals may not allocate.
  private static let saved = UInt(bitPattern: UnsafeMutablePointer<termios>.allocate(capacity: 1))
  /// Where the number of the mode lies that the terminal is in; 0 is its own.
  private static let mode = UInt(bitPattern: UnsafeMutablePointer<Int32>.allocate(capacity: 1))
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
    // When no shell could continue the process, the signal is ignored and stays so.
    if clinux_is_ignored(SIGTSTP) == 0 { hearStops() }
  }()

  private static func hearStops() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let mode = RawTerminal.restore()
      // Stops the process here until the shell continues it.
      raise(number)
      RawTerminal.hearStops()
      if mode != .own { RawTerminal.enter(mode) }
    }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER | SA_RESTART
    sigaction(SIGTSTP, &action, nil)
  }

  /// What a terminal does with what is typed.
  package enum Mode: Int32, Sendable {
    /// What it did when the tool began: it edits lines and shows them.
    case own = 0
    /// It hands over each key, those that send signals too, and shows nothing.
    case keys = 1
    /// It edits lines and shows nothing but their ends.
    case hidden = 2
    /// It hands over each key but those that send signals, and shows nothing.
    case answer = 3
  }

  /// Runs the body with the terminal at standard input in a mode; output is processed as ever. Modes may be nested.
  ///
  /// - Parameter isFlushing: whether what was typed before is thrown away.
  package static func with<Value>(
    _ mode: Mode, isFlushing: Bool = false, _ body: () async throws -> Value
  ) async rethrows -> Value {
    _ = installed
    let before = current
    enter(mode, isFlushing: isFlushing)
    defer { enter(before) }
    return try await body()
  }

  /// Throws away what was typed and not yet read.
  static func flush() { tcflush(STDIN_FILENO, TCIFLUSH) }

  /// Stops the process as Ctrl-Z does in other programs, with the terminal as it was. Returns when the process goes on, in
  /// raw mode again.
  package static func stop() { raise(SIGTSTP) }

  private static var current: Mode {
    UnsafeMutablePointer<Int32>(bitPattern: mode).flatMap { Mode(rawValue: $0.pointee) } ?? .own
  }

  private static func enter(_ wanted: Mode, isFlushing: Bool = false) {
    guard wanted != .own else {
      _ = restore()
      if isFlushing { flush() }
      return
    }
    guard let saved = UnsafeMutablePointer<termios>(bitPattern: saved),
      let mode = UnsafeMutablePointer<Int32>(bitPattern: Self.mode)
    else { return }
    if mode.pointee == Mode.own.rawValue {
      var settings = termios()
      guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
      saved.initialize(to: settings)
    }
    mode.pointee = wanted.rawValue
    var settings = saved.pointee
    switch wanted {
    case .hidden:
      settings.c_lflag &= ~tcflag_t(ECHO)
      settings.c_lflag |= tcflag_t(ECHONL)
    case .answer: settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    default:
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
      settings.c_iflag &= ~tcflag_t(ICRNL | IXON | ISTRIP | INLCR)
    }
    if wanted != .hidden {
      settings.c_cc.6 = 1  // VMIN
      settings.c_cc.5 = 0  // VTIME
    }
    tcsetattr(STDIN_FILENO, isFlushing ? TCSAFLUSH : TCSADRAIN, &settings)
  }

  /// - Returns: the mode that it was in.
  private static func restore() -> Mode {
    let was = current
    guard was != .own, let settings = UnsafeMutablePointer<termios>(bitPattern: saved) else { return .own }
    UnsafeMutablePointer<Int32>(bitPattern: mode)?.pointee = Mode.own.rawValue
    tcsetattr(STDIN_FILENO, TCSANOW, settings)
    return was
  }
}
