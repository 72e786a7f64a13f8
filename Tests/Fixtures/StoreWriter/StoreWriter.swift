import Glibc
import GroupStore
import Synchronization

/// Writes to a store one key after the other and prints each number when the write is acknowledged.
///
/// `StoreWriter PATH NAME FIRST COUNT`; each write sets `NAME.<number>` and `NAME.last` together.
/// - `STORE_CRASH=point:n` ends the process, as kill -9 does, when it comes to a step for the nth time.
/// - `STORE_KEEP=n` removes what was written more than n writes ago, so that a long run stays below the suite's limit.
/// - `STORE_BYTES=n` lets each value have so many bytes.
/// - `STORE_DURABILITY=strict` syncs each write.
/// - `STORE_BALLAST=path` is a file that is removed when a write fails for the first time; the write is then made again.
///
/// A failure is printed in one line, `error: message / recovery`, and ends the program with 74.
@main
struct StoreWriter {
  static let suite: SuiteID = "group.crash"

  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 5, let first = Int(words[3]), let count = Int(words[4]) else { exit(64) }
    var options = SQLiteGroupBackend.Options(path: words[1])
    options.crash = crash()
    options.durability = environment("STORE_DURABILITY").flatMap(SQLiteGroupBackend.Durability.init) ?? .normal
    let backend = SQLiteGroupBackend(options)
    for number in first..<(first + count) {
      let changes = changes(words[2], number)
      do {
        try await commit(changes, to: backend)
      } catch {
        guard let ballast = environment("STORE_BALLAST"), unlink(ballast) == 0 else { exit(74) }
        do { try await commit(changes, to: backend) } catch { exit(74) }
      }
      print("\(number)")
    }
  }

  private static func changes(_ name: String, _ number: Int) -> [Mutation] {
    let bytes = Array("\(number)".utf8)
    let padding = [UInt8](
      repeating: 120, count: max(0, (environment("STORE_BYTES").flatMap(Int.init) ?? 0) - bytes.count))
    var changes: [Mutation] = [.set("\(name).\(number)", bytes + padding), .set("\(name).last", bytes)]
    if let kept = environment("STORE_KEEP").flatMap(Int.init), number > kept {
      changes.append(.remove("\(name).\(number - kept)"))
    }
    return changes
  }

  private static func commit(_ changes: [Mutation], to backend: SQLiteGroupBackend) async throws {
    do {
      _ = try await backend.apply(suite, changes)
    } catch let error as GroupStoreError {
      print("error: \(error.description) / \(error.recovery)")
      throw error
    }
  }

  /// One line, at once: whoever reads it knows that it happened.
  private static func print(_ text: String) {
    let line = "\(text)\n"
    _ = write(STDOUT_FILENO, line, line.utf8.count)
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func crash() -> @Sendable (CrashPoint) -> Void {
    let parts = environment("STORE_CRASH")?.split(separator: ":").map(String.init) ?? []
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
