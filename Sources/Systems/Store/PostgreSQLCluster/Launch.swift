import Files
import Glibc
import Synchronization

/// The start of a server, which blocks and may be given up from outside.
final class Launch: Sendable {
  private let isGivenUp = Atomic(false)
  private let end: ContinuousClock.Instant
  private let isTemporary: Bool
  /// The folder of the socket that the server had before.
  let socket: String?

  init(isTemporary: Bool, socket: String? = nil, within limit: Duration) {
    self.isTemporary = isTemporary
    self.socket = socket
    end = ContinuousClock.now + limit
  }

  func cancel() { isGivenUp.store(true, ordering: .relaxed) }
  var isCancelled: Bool { isGivenUp.load(ordering: .relaxed) }

  /// - Throws: `cancelled`, or `timedOut`.
  func check() throws(PostgreSQLClusterError) {
    if isCancelled { throw .cancelled }
    if ContinuousClock.now > end {
      throw PostgreSQLClusterError(
        .timedOut, "The database did not start in time.", recovery: "Try again, or look into its log.")
    }
  }

  /// Locks the folder, makes the data where there is none, and starts the server.
  func run(_ path: String) throws(PostgreSQLClusterError) -> ServerProcess {
    while true {
      do throws(PostgreSQLClusterError) {
        return try attempt(path)
      } catch {
        // The processes of a server that was killed take a moment to notice.
        guard error.kind == .startFailed, error.message.contains("shared memory block") else { throw error }
        usleep(50_000)
        try check()
      }
    }
  }

  private func attempt(_ path: String) throws(PostgreSQLClusterError) -> ServerProcess {
    let user = try ServerUser.current
    let folder = try ClusterFolder(path, for: user)
    let lock = try Self.lock(folder)
    try StaleServer.end(in: folder, self)
    let programs = try ServerPrograms.find(folder.version)
    if folder.version == nil { try initialize(folder, programs, user) }
    return try ServerProcess.start(
      folder, programs, user, lock: lock, isTemporary: isTemporary, self)
  }

  static func lock(_ folder: ClusterFolder) throws(PostgreSQLClusterError) -> FileLock {
    let lock: FileLock?
    do throws(FileError) {
      lock = try FileLock.attempt(folder.lock)
    } catch {
      throw PostgreSQLClusterError(error)
    }
    if let lock { return lock }
    throw PostgreSQLClusterError(
      .inUse, "Another process uses the database in \(folder.path).", recovery: "End it, or choose another folder.")
  }

  /// Creates the data under another path, so that the data's own path never contains an incomplete set.
  private func initialize(
    _ folder: ClusterFolder, _ programs: ServerPrograms, _ user: ServerUser?
  ) throws(PostgreSQLClusterError) {
    do throws(FileError) {
      // Without a version file, a server cannot have written into the folder.
      for path in [folder.draft, folder.data] where FileStatus(path) != nil { try Folder.remove(path) }
      try Folder.make(folder.draft)
    } catch {
      throw PostgreSQLClusterError(error)
    }
    try requireRoom(in: folder)
    try user?.own(folder.draft)
    // The data is flushed before it is renamed: all at once takes less time than file by file.
    let words = [
      programs.initdb, "-D", folder.draft, "--no-sync", "--no-instructions", "-A", "trust", "-U",
      ServerProcess.superuser, "-E", "UTF8", "--locale=C.UTF-8", "--wal-segsize=\(WriteAheadLog.segment)",
    ]
    // Its thread waits for it: when that ends, with this process, it ends too, and nothing writes into the folder later.
    let tied = ["/usr/bin/setpriv", "--pdeathsig", "KILL"] + words
    try finish(user?.command(words, "--pdeathsig", "KILL") ?? tied, folder)
    do throws(PostgreSQLClusterError) {
      try WriteAheadLog.reserve(in: folder.draft, user)
    } catch {
      // The incomplete data would only take space on a full disk.
      try? Folder.remove(folder.draft)
      throw error
    }
    if !isTemporary { try finish(["/bin/sync", "-f", folder.draft], folder) }
    guard unsafe rename(folder.draft, folder.data) == 0 else {
      throw PostgreSQLClusterError(.cannot("create", folder.data))
    }
    if !isTemporary { Folder.synchronize(folder.base) }
  }

  /// Bytes that a new set of data takes at least.
  private static let least: UInt64 = 24 << 20

  /// On a full disk the log, which lies there too, need not have room for the reason either.
  private func requireRoom(in folder: ClusterFolder) throws(PostgreSQLClusterError) {
    var room = statvfs()
    guard unsafe statvfs(folder.draft, &room) == 0 else { return }
    let free = UInt64(room.f_bavail) &* UInt64(room.f_frsize)
    guard free < Self.least else { return }
    try? Folder.remove(folder.draft)
    throw PostgreSQLClusterError(
      .startFailed,
      "The database could not be made: No space left on device: \(free >> 20) MiB are free at \(folder.base), and it "
        + "takes more than \(Self.least >> 20) MiB.",
      recovery: "Free some space there, or choose another folder.")
  }

  /// Runs a program to its end.
  private func finish(_ words: [String], _ folder: ClusterFolder) throws(PostgreSQLClusterError) {
    let log = try folder.openLog()
    let null = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer {
      close(log)
      if null >= 0 { close(null) }
    }
    let start = folder.logSize
    let child = try ChildProcess.start(words, input: null, log: log)
    do throws(PostgreSQLClusterError) {
      while !child.wait(milliseconds: 20) { try check() }
    } catch {
      child.kill()
      _ = child.reap()
      throw error
    }
    if child.reap() { return }
    throw PostgreSQLClusterError(
      .startFailed,
      "The database could not be made\(folder.lastWords(from: start).map { ": \($0)" } ?? ".")",
      recovery: "The log is \(folder.log).")
  }
}
