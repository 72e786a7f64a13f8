import Glibc
import GroupStore
import Synchronization

/// Writes to a store one key after the other and prints each number when the write is acknowledged.
///
/// `StoreWriter PATH NAME FIRST COUNT`; each write sets `NAME.<number>` and `NAME.last` together. `STORE_CRASH=point:n` ends
/// the process, as kill -9 does, when it comes to a step for the nth time.
@main
struct StoreWriter {
  static let suite: SuiteID = "group.crash"

  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 5, let first = Int(words[3]), let count = Int(words[4]) else { exit(64) }
    var options = SQLiteGroupBackend.Options(path: words[1])
    options.crash = crash()
    let backend = SQLiteGroupBackend(options)
    for number in first..<(first + count) {
      let bytes = Array("\(number)".utf8)
      _ = try await backend.apply(suite, [.set("\(words[2]).\(number)", bytes), .set("\(words[2]).last", bytes)])
      let line = "\(number)\n"
      _ = write(STDOUT_FILENO, line, line.utf8.count)
    }
  }

  private static func crash() -> @Sendable (CrashPoint) -> Void {
    let parts = getenv("STORE_CRASH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
    guard parts.count == 2, let point = CrashPoint(rawValue: parts[0]), let number = Int(parts[1]) else {
      return { _ in }
    }
    let seen = Mutex(0)
    return { step in
      guard step == point else { return }
      let count = seen.withLock { seen in
        seen += 1
        return seen
      }
      if count == number { kill(getpid(), SIGKILL) }
    }
  }
}
