import CLinux
import Files
import Glibc
import Synchronization

/// A running server, with a shell that stops it as soon as the other end of the shell's standard input closes, even
/// when this process is killed.
final class ServerProcess: Sendable {
  static let superuser = "postgres"

  /// The folder of the socket. Its path is short: the kernel takes 107 bytes.
  let socket: String
  let folder: ClusterFolder
  private let guardian: ChildProcess
  /// Given back when the server has ended.
  private let lock: Mutex<FileLock?>
  /// The writing end of the guardian's standard input; -1 when it is closed.
  private let pipe: Atomic<Int32>
  private let hasEnded = Atomic(false)
  /// The offset in the log at which this server's messages begin.
  private let logStart: Int
  /// A second descriptor of the guardian, for a task that waits while another task releases it.
  private let end: Int32

  private init(
    _ folder: ClusterFolder, socket: String, _ guardian: ChildProcess, pipe: Int32, lock: consuming FileLock,
    logStart: Int
  ) {
    self.logStart = logStart
    self.folder = folder
    self.socket = socket
    self.guardian = guardian
    self.pipe = Atomic(pipe)
    self.lock = Mutex(lock)
    end = guardian.duplicate()
  }

  deinit {
    closePipe()
    if end >= 0 { close(end) }
  }

  private func closePipe() {
    let descriptor = pipe.exchange(-1, ordering: .relaxed)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Runs the server, and removes the folders that are named when it has ended. The first argument says how many they are.
  private static let script = """
    exec 3<&0 </dev/null
    first=$1; second=$2; shift 2
    "$@" 3<&- &
    server=$!
    { cat <&3 >/dev/null; kill -INT $server; } &
    watcher=$!
    exec 3<&-
    wait $server
    kill -9 $watcher
    rm -rf -- "$first" ${second:+"$second"}
    """

  /// Returns the server's command-line settings, which override its settings file.
  private static func settings(socket: String, isTemporary: Bool) -> [String] {
    let settings = [
      "listen_addresses=", "unix_socket_directories=\(socket)", "unix_socket_permissions=0700", "port=5432",
      "max_connections=100", "shared_buffers=64MB", "huge_pages=off", "jit=off", "timezone=UTC", "log_timezone=UTC",
      "max_wal_senders=0", "max_wal_size=\(WriteAheadLog.size)MB", "min_wal_size=\(WriteAheadLog.size)MB",
      "recovery_init_sync_method=syncfs",
      "logging_collector=off", "log_destination=stderr", "log_checkpoints=off",
      // A refused statement is reported to its sender; in the log it would only take space.
      "log_min_messages=log", "log_autovacuum_min_duration=-1",
    ]
    return (settings + (isTemporary ? ["fsync=off"] : [])).flatMap { ["-c", $0] }
  }

  /// - Parameter path: the previous folder, which was removed with the previous server. Clients expect the new one at
  ///   the same path.
  private static func makeSocketFolder(_ path: String?) throws(PostgreSQLClusterError) -> String {
    if let path, unsafe mkdir(path, 0o700) == 0 { return path }
    do throws(FileError) {
      return try Folder.makeTemporary(beginning: "/tmp/annex-pg-")
    } catch {
      throw PostgreSQLClusterError(error)
    }
  }

  /// Starts a server and waits until it takes connections. Blocks.
  static func start(
    _ folder: ClusterFolder, _ programs: ServerPrograms, _ user: ServerUser?, lock: consuming FileLock,
    isTemporary: Bool, _ launch: Launch
  ) throws(PostgreSQLClusterError) -> ServerProcess {
    let socket = try makeSocketFolder(launch.socket)
    try user?.own(socket)
    let words =
      [programs.postgres, "-D", folder.data] + settings(socket: socket, isTemporary: isTemporary)
    let log = try folder.openLog()
    defer { close(log) }
    let start = folder.logSize
    let command = user?.command(words) ?? words
    let removed = isTemporary ? [socket, folder.path] : [socket, ""]
    var (input, pipe): (Int32, Int32) = (-1, -1)
    let error = unsafe clinux_spawn_pipe(&input, &pipe, 0, 0)
    if error != 0 { throw PostgreSQLClusterError(.cannot("open a pipe for", folder.path, SystemError(error))) }
    defer { close(input) }
    let guardian: ChildProcess
    do throws(PostgreSQLClusterError) {
      guardian = try ChildProcess.start(
        ["/bin/sh", "-c", script, "annex-postgres"] + removed + command, input: input, log: log)
    } catch {
      close(pipe)
      throw error
    }
    let server = ServerProcess(folder, socket: socket, guardian, pipe: pipe, lock: lock, logStart: start)
    do throws(PostgreSQLClusterError) {
      try server.waitUntilReady(launch)
    } catch {
      server.stop()
      throw error
    }
    return server
  }

  private func waitUntilReady(_ launch: Launch) throws(PostgreSQLClusterError) {
    while !isReady {
      if guardian.wait(milliseconds: 5) {
        throw failure("The database did not start")
      }
      try launch.check()
    }
  }

  /// Returns the error for a server that has ended.
  var ended: PostgreSQLClusterError { failure("The database has ended, and is started again") }

  private func failure(_ what: String) -> PostgreSQLClusterError {
    PostgreSQLClusterError(
      .startFailed, what + (folder.lastWords(from: logStart).map { ": \($0)" } ?? "."),
      recovery: "The log is \(folder.log).")
  }

  /// Whether the server accepts connections, according to the eighth line of its PID file.
  private var isReady: Bool {
    guard let bytes = File.prefix(of: folder.processFile, limit: 1 << 12) else { return false }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.count >= 8 && lines[7].hasPrefix("ready")
  }

  /// Whether the server has not ended.
  var isRunning: Bool { !ends(withinMilliseconds: 0) }

  /// Waits until the server has ended, or the limit has passed. Blocks the thread.
  ///
  /// - Returns: whether the server has ended.
  func ends(withinMilliseconds limit: Int32) -> Bool {
    hasEnded.load(ordering: .relaxed) || guardian.wait(milliseconds: limit)
  }

  /// Waits until it has ended, by itself or not. Blocks.
  func waitForEnd() { _ = ProcessDescriptor.wait(end, milliseconds: end < 0 ? 1_000 : -1) }

  /// Stops the server as a fast shutdown does: transactions that are open are rolled back. Blocks until it has ended.
  func stop() {
    if hasEnded.exchange(true, ordering: .relaxed) { return }
    closePipe()
    // A server that waits for a stuck disk is killed; it recovers at the next start.
    if !guardian.wait(milliseconds: 30_000) { guardian.kill() }
    _ = guardian.reap()
    lock.withLock { $0 = nil }
  }
}
