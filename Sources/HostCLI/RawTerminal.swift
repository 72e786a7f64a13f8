import Glibc

/// A terminal that hands over each key as it is pressed, for as long as a scope lasts.
///
/// It is put back at the end of the scope, when the process exits, and when a signal ends it: a crash, too. Nothing can be
/// done about SIGKILL.
enum RawTerminal {
  /// Where the settings lie that are put back: a handler of signals may not allocate.
  private static let saved = UInt(bitPattern: UnsafeMutablePointer<termios>.allocate(capacity: 1))
  private static let isRaw = UInt(bitPattern: UnsafeMutablePointer<Int32>.allocate(capacity: 1))
  private static let installed: Void = {
    UnsafeMutablePointer<Int32>(bitPattern: isRaw)?.initialize(to: 0)
    atexit { RawTerminal.restore() }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      RawTerminal.restore()
      raise(number)
    }
    // The second time, the signal does what it does to every process.
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
    for number in [SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE] {
      sigaction(number, &action, nil)
    }
  }()

  /// Runs the body with the terminal at standard input in raw mode; output is processed as ever.
  static func with<Value>(_ body: () async throws -> Value) async throws -> Value {
    _ = installed
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return try await body() }
    UnsafeMutablePointer<termios>(bitPattern: saved)?.initialize(to: settings)
    UnsafeMutablePointer<Int32>(bitPattern: isRaw)?.pointee = 1
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(ICRNL | IXON | ISTRIP | INLCR)
    settings.c_cc.6 = 1  // VMIN
    settings.c_cc.5 = 0  // VTIME
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    defer { restore() }
    return try await body()
  }

  private static func restore() {
    guard let flag = UnsafeMutablePointer<Int32>(bitPattern: isRaw), flag.pointee == 1,
      let settings = UnsafeMutablePointer<termios>(bitPattern: saved)
    else { return }
    flag.pointee = 0
    tcsetattr(STDIN_FILENO, TCSANOW, settings)
  }
}
