import EventLoop
import Files
import Glibc
import Synchronization

/// A PostgreSQL server of Debian's in a temporary directory, on a Unix socket only. It ends with this process, however
/// that ends.
package final class TestPostgreSQLServer: Sendable {
  /// One for all tests of this process that only need a database.
  package static let shared = Result { try TestPostgreSQLServer(settings: "-c fsync=off") }

  /// Where the server's socket, data and log are.
  package let directory: String
  private let settings: String
  /// A shell that waits for the end of this process, and then ends the server.
  private let guardian: Mutex<UInt>

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// - Parameter settings: arguments of the server.
  package init(settings: String = "", copying primary: TestPostgreSQLServer? = nil) throws {
    self.settings = settings
    let made = try ShellCommand.output(of: "\(Self.asUser("mktemp -d /tmp/annex-pg.XXXXXX")) 2>/dev/null")
    directory = String(made.text.prefix { !$0.isWhitespace })
    guard made.status == 0, !directory.isEmpty else { throw Failure(description: "no directory for a server") }
    let stop = Self.asUser("\(Self.programs)/pg_ctl -D \(directory)/data -m immediate stop")
    // It has no other end of a pipe than this process has.
    let command = "trap '' INT TERM HUP; cat >/dev/null; \(stop) >/dev/null 2>&1; rm -rf \(directory)"
    let stream = popen(command, "we")
    guardian = Mutex(UInt(bitPattern: stream))
    if let primary {
      try Self.run(
        "\(Self.programs)/pg_basebackup -h \(primary.directory) -U annex -D \(directory)/data -R -X stream -c fast",
        log: "\(directory)/log")
    } else {
      try Self.run(
        "\(Self.programs)/initdb -D \(directory)/data --no-sync -A trust -U annex -E UTF8 --locale=C",
        log: "\(directory)/log")
    }
    try start()
  }

  deinit {
    guardian.withLock { address in
      guard let stream = UnsafeMutablePointer<FILE>(bitPattern: address) else { return }
      pclose(stream)
    }
  }

  /// The URL of a database.
  package func url(_ database: String = "postgres") -> String {
    "postgresql://annex@/\(database)?host=\(directory)"
  }

  /// Starts the server anew, also while processes of the one before still end.
  package func restart() async throws {
    try await SystemThread.run(name: "test-postgres") { Result { try self.start() } }.get()
  }

  private func start() throws {
    let server =
      "-k \(directory) -c listen_addresses= -c max_connections=60 -c shared_buffers=16MB -c recovery_init_sync_method=syncfs \(settings)"
    let start = "\(Self.programs)/pg_ctl -w -D \(directory)/data -l \(directory)/server.log -o '\(server)' start"
    try Self.run(
      "for try in 1 2 3 4 5 6 7 8; do \(start) && exit 0; sleep 0.2; done; exit 1", log: "\(directory)/start")
  }

  /// Ends every process of the server, as kill -9 does.
  package func kill() async throws {
    try await Self.runElsewhere("kill -9 \(processes.map(String.init).joined(separator: " "))", log: "/dev/null")
  }

  /// Makes a standby take writes.
  package func promote() async throws {
    try await Self.runElsewhere("\(Self.programs)/pg_ctl -w -D \(directory)/data promote", log: "\(directory)/start")
  }

  /// The postmaster and its children.
  private var processes: [Int32] {
    let text = Self.text(of: "\(directory)/data/postmaster.pid")
    guard let main = text.split(separator: "\n").first.flatMap({ Int32($0) }) else { return [] }
    let children = Self.text(of: "/proc/\(main)/task/\(main)/children")
    return [main] + children.split(separator: " ").compactMap { Int32($0) }
  }

  private static func text(of path: String) -> String {
    File.prefix(of: path, limit: 1 << 20).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Debian's newest.
  private static let programs: String = {
    let parent = "/usr/lib/postgresql"
    let versions = Folder.names(in: parent)
    return "\(parent)/\(versions.compactMap { Int($0) }.max() ?? 15)/bin"
  }()

  /// The server refuses to run as root.
  private static func asUser(_ command: String) -> String {
    getuid() == 0 ? "setpriv --reuid=nobody --regid=nogroup --clear-groups \(command)" : command
  }

  /// A command that takes long keeps none of the threads that all tasks share.
  private static func runElsewhere(_ command: String, log: String) async throws {
    try await SystemThread.run(name: "test-postgres") { Result { try run(command, log: log) } }.get()
  }

  private static func run(_ command: String, log: String) throws {
    let shell = asUser("sh -c '\(command.replacing("'", with: "'\\''"))'")
    let status = try ShellCommand.output(of: "cd /tmp; \(shell) >>\(log) 2>&1 </dev/null").status
    guard status == 0 else {
      let text = text(of: log)
      throw Failure(description: "\(command) failed: \(text.suffix(2_000))")
    }
  }
}
