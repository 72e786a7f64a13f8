import Foundation
import Synchronization

/// A program at a terminal: its three streams are a pseudoterminal, at which the test reads and types.
final class TerminalProgram: Sendable {
  private let master: Int32
  private let process: ChildProcess
  private let heard = Mutex<(bytes: [UInt8], taken: Int)>(([], 0))
  /// What the program writes into, which is there as long as this is.
  private let folder: TemporaryFolder?

  init(
    _ path: String, _ arguments: [String], environment: [String: String], in folder: TemporaryFolder? = nil,
    columns: UInt16 = 100, lines: UInt16 = 30
  ) throws {
    self.folder = folder
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK unlocks the other end, TIOCGPTN tells its number (ioctl_tty(2)).
    var (isLocked, number): (Int32, Int32) = (0, -1)
    guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw ProgramFailure(description: "There is no pseudoterminal: \(String(cString: strerror(errno)))")
    }
    var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw ProgramFailure(description: "The pseudoterminal cannot be opened.") }
    defer { close(slave) }
    process = try ChildProcess(path, arguments, environment: environment, streams: [slave, slave, slave])
  }

  deinit { close(master) }

  /// Whether the terminal edits lines, and shows what is typed, as a shell expects it.
  var isCooked: Bool {
    var settings = termios()
    return tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ICANON) != 0
      && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Makes the window another size.
  func resize(columns: UInt16, lines: UInt16) {
    var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func signal(_ number: Int32) { process.signal(number) }

  /// What the kernel says of the process, as long as it runs: `cmdline`, `environ`, `limits`.
  func told(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "/proc/\(process.pid)/\(name)")), as: UTF8.self)
  }

  /// Types at the terminal.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Waits for a text behind what was heard before, and then types.
  func answer(_ text: String, with reply: String) async throws {
    try await hear(text)
    type("\(reply)\n")
  }

  /// Waits until a text has come, behind what was heard before.
  ///
  /// - Parameter next: a text behind that one which has to come as well, as a prompt does behind a message.
  @discardableResult
  func hear(_ text: String, then next: String = "", within limit: Duration = .seconds(40)) async throws -> String {
    try await onThread {
      let end = ContinuousClock.now + limit
      repeat {
        if let found = self.take(text, next) { return found }
      } while self.read() && ContinuousClock.now < end
      if let found = self.take(text, next) { return found }
      throw ProgramFailure(description: "“\(text)” did not come, but \(self.everything)")
    }
  }

  /// Waits until the program has ended.
  ///
  /// - Returns: all that came, and the exit status; 128 and the number for a signal.
  func finish(within limit: Duration = .seconds(40)) async throws -> (text: String, status: Int32) {
    try await onThread {
      let end = ContinuousClock.now + limit
      while self.read(), ContinuousClock.now < end {}
      if ContinuousClock.now >= end { self.signal(SIGKILL) }
      return (self.everything, try self.process.wait())
    }
  }

  private var everything: String {
    String(decoding: heard.withLock { $0.bytes }.filter { $0 != 0x0D }, as: UTF8.self)
  }

  private func take(_ text: String, _ next: String) -> String? {
    heard.withLock { heard in
      let rest = String(decoding: heard.bytes[heard.taken...], as: UTF8.self)
      guard let found = rest.range(of: text) else { return nil }
      guard next.isEmpty || rest[found.upperBound...].contains(next) else { return nil }
      heard.taken = heard.bytes.count
      return rest
    }
  }

  /// Reads what is there, for at most a tenth of a second.
  ///
  /// - Returns: false when nobody holds the other end any more.
  private func read() -> Bool {
    var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, 100) > 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(master, &bytes, bytes.count)
    guard count > 0 else { return false }
    heard.withLock { $0.bytes += bytes[..<count] }
    return true
  }
}

extension HostTool {
  /// Starts a command at a terminal.
  func atTerminal(_ arguments: String...) throws -> TerminalProgram { try atTerminal(product: "host", arguments) }

  /// Starts a product of the build at a terminal.
  func atTerminal(product: String, _ arguments: [String] = []) throws -> TerminalProgram {
    try TerminalProgram(
      "\(Build.products)/\(product)", arguments,
      environment: environment.merging(["TERM": "vt100", "NO_COLOR": "1"]) { $1 }, in: folder)
  }
}
