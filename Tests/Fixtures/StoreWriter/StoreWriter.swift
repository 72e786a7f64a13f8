import Glibc
import GroupStore
import PostgreSQL
import PostgreSQLGroupStore
import Synchronization

/// Writes to a store one key after the other and prints each number when the write is acknowledged.
///
/// `StoreWriter STORE NAME FIRST COUNT`; the store is the path of a file or the URL of a database. Each write sets `NAME.<number>` and `NAME.last` together.
/// - `STORE_CRASH=point:n` ends the process, as kill -9 does, when it comes to a step for the nth time.
/// - `STORE_KEEP=n` removes what was written more than n writes ago, so that a long run stays below the suite's limit.
/// - `STORE_BYTES=n` lets each value have so many bytes.
/// - `STORE_DURABILITY=strict` syncs each write.
/// - `STORE_LEASE=name` takes a lease for two seconds first, prints `leased`, and writes under it; a write that is fenced
///   off ends the program with 65.
/// - `STORE_SCHEMA=name` is the schema in a database.
/// - `STORE_BALLAST=path` is a file that is removed when a write fails for the first time; the write is then made again.
///
/// A failure is printed in one line, `error: message / recovery`, and ends the program with 74.
@main
struct StoreWriter {
  static let suite: SuiteID = "group.crash"

  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 5, let first = Int(words[3]), let count = Int(words[4]) else { exit(64) }
    let backend = try backend(words[1])
    var lease: Lease?
    if let name = environment("STORE_LEASE") {
      lease = try await backend.acquire(name, owner: OwnerID(words[2]), for: .seconds(2))
      print(lease == nil ? "refused" : "leased")
    }
    for number in first..<(first + count) {
      let changes = changes(words[2], number)
      do {
        try await commit(changes, to: backend, lease)
      } catch {
        guard let ballast = environment("STORE_BALLAST"), unlink(ballast) == 0 else { exit(74) }
        do { try await commit(changes, to: backend, lease) } catch { exit(74) }
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

  private static func backend(_ store: String) throws -> any GroupBackend {
    if PostgreSQLTarget.isURL(store) {
      var options = PostgreSQLGroupBackend.Options(target: try PostgreSQLTarget(store))
      options.schema = environment("STORE_SCHEMA") ?? options.schema
      options.timeout = .seconds(30)
      return PostgreSQLGroupBackend(options)
    }
    var options = SQLiteGroupBackend.Options(path: store)
    options.crash = crash()
    options.durability = environment("STORE_DURABILITY").flatMap(SQLiteGroupBackend.Durability.init) ?? .normal
    return SQLiteGroupBackend(options)
  }

  private static func commit(_ changes: [Mutation], to backend: any GroupBackend, _ lease: Lease?) async throws {
    do {
      _ = try await backend.apply(suite, changes, require: [], fence: lease)
    } catch let error as GroupStoreError {
      print("error: \(error.description) / \(error.recovery)")
      if case .fenced = error { exit(65) }
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
