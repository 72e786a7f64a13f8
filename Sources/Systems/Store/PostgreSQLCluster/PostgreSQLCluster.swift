package import EventLoop
import Files
import Glibc
package import PostgreSQL
import Time

/// A private PostgreSQL server whose data is in a folder. It listens on a Unix socket only, runs as its own user when
/// this process is root, and stops with this process however that ends. Only one process may use a folder at a time.
/// Other servers on the machine are not touched.
package actor PostgreSQLCluster {
  /// The role that owns the databases. It may do everything in them and has no rights on the machine.
  package static let user = "annex"
  private static let limit = Duration.seconds(30)

  /// Starts a server with its data in a folder. Blocks.
  typealias Run = @Sendable (Launch, _ folder: String) throws(PostgreSQLClusterError) -> ServerProcess

  /// The folder with the data and the log.
  package nonisolated let folder: String
  private let isTemporary: Bool
  private let startLimit: Duration
  private let run: Run
  private var server: ServerProcess?
  /// The folder of the last server's socket.
  private var socket: String?
  private var isStopped = false
  /// How often ``stop()`` was called. A call that began before starts no server after it.
  private var stops = 0
  /// The start in progress, which several callers may await.
  private var launch: Launch?
  /// The callers that wait for the start to end.
  private(set) var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates a server whose data stays in the folder. ``start()`` creates the folder when it is missing.
  ///
  /// - Parameter limit: the time limit of a start, including the creation of the data at the first one.
  package init(folder: String, startingWithin limit: Duration = .seconds(60)) {
    self.init(folder, isTemporary: false, startingWithin: limit)
  }

  /// - Parameter run: starts a server, or does as if.
  init(
    _ folder: String, isTemporary: Bool, startingWithin limit: Duration,
    run: @escaping Run = { launch, folder throws(PostgreSQLClusterError) in try launch.run(folder) }
  ) {
    self.folder = folder
    self.isTemporary = isTemporary
    startLimit = limit
    self.run = run
  }

  /// Creates a server in a temporary folder that is deleted when the server stops.
  package static func temporary(
    startingWithin limit: Duration = .seconds(60)
  ) throws(PostgreSQLClusterError) -> PostgreSQLCluster {
    do throws(FileError) {
      let folder = try Folder.makeTemporary(beginning: "/tmp/annex-database-")
      return PostgreSQLCluster(folder, isTemporary: true, startingWithin: limit)
    } catch {
      throw PostgreSQLClusterError(error)
    }
  }

  // MARK: Starting and stopping

  /// Starts the server, unless it runs.
  package func start() async throws(PostgreSQLClusterError) { _ = try await runningServer() }

  private func runningServer() async throws(PostgreSQLClusterError) -> ServerProcess {
    let stops = stops
    while true {
      if let server, server.isRunning { return server }
      if launch == nil { break }
      await endOfLaunch()
      if Task.isCancelled || stops != self.stops { throw .cancelled }
    }
    // A server that crashed or was killed.
    let last = server
    server = nil
    isStopped = false
    let launch = Launch(isTemporary: isTemporary, socket: socket, within: startLimit)
    self.launch = launch
    let result = await withTaskCancellationHandler {
      await Self.blocking { [folder, run] in
        last?.stop()
        return Result { () throws(PostgreSQLClusterError) in try run(launch, folder) }
      }
    } onCancel: {
      launch.cancel()
    }
    let isUnwanted = launch.isCancelled
    // It ends before the start does, for which ``stop()`` waits.
    if isUnwanted, let unwanted = try? result.get() { await Self.blocking { unwanted.stop() } }
    self.launch = nil
    let waiting = waiting
    self.waiting = []
    for continuation in waiting { continuation.resume() }
    let started = try result.get()
    if isUnwanted { throw .cancelled }
    server = started
    socket = started.socket
    return started
  }

  /// Restarts the server whenever it ends by itself, for example because it was killed or its disk was full. Returns
  /// after ``stop()``, which the caller must also call after it cancels the task.
  ///
  /// - Parameters:
  ///   - pause: the time between two attempts.
  ///   - tell: called once with each reason why the server is not running, and with `nil` when it runs again.
  package func keepRunning(
    pausing pause: Duration = .seconds(1), _ tell: @Sendable (PostgreSQLClusterError?) -> Void
  ) async throws(EventLoopError) {
    let loop = try EventLoop.started(name: "annex-cluster", spin: .zero)
    defer { loop.stop() }
    var reason: PostgreSQLClusterError?
    while !isStopped {
      if let server, server.isRunning {
        if reason != nil { tell(nil) }
        reason = nil
        await Self.blocking { server.waitForEnd() }
        continue
      }
      do throws(PostgreSQLClusterError) {
        if reason == nil, let server { throw server.ended }
        _ = try await runningServer()
      } catch {
        if isStopped || Task.isCancelled { return }
        if error != reason { tell(error) }
        if reason != nil { try? await loop.sleep(for: pause) }
        reason = error
      }
    }
  }

  /// Waits until no start is in progress.
  private func endOfLaunch() async {
    await withCheckedContinuation { continuation in
      if launch == nil { continuation.resume() } else { waiting.append(continuation) }
    }
  }

  /// Stops the server and cancels a start in progress. Open transactions are rolled back. Temporary data is deleted.
  package func stop() async {
    isStopped = true
    stops += 1
    while let launch {
      launch.cancel()
      await endOfLaunch()
    }
    let last = server
    server = nil
    await Self.blocking { [isTemporary, folder] in
      last?.stop()
      if isTemporary { try? Folder.remove(folder) }
    }
  }

  private nonisolated static func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await SystemThread.run(name: "annex-cluster", work)
  }

  // MARK: Databases

  /// Returns the connection target of a database. Starts the server when it is not running, and creates the database
  /// when it is missing, with the extension `vector` where that is installed.
  package func database(_ name: String) async throws(PostgreSQLClusterError) -> PostgreSQLTarget {
    guard (1...63).contains(name.utf8.count), !name.utf8.contains(0) else {
      throw PostgreSQLClusterError(
        .refused, "The name of a database has 1 to 63 bytes.", recovery: "Choose another name.")
    }
    let stops = stops
    let server = try await runningServer()
    do throws(PostgreSQLError) {
      return try await Self.target(of: name, on: server)
    } catch {
      // This call is the first to notice that the server has crashed.
      guard error.isRetryable, await Self.blocking({ server.ends(withinMilliseconds: 2_000) }) else {
        throw PostgreSQLClusterError(error)
      }
    }
    if stops != self.stops { throw .cancelled }
    let other = try await runningServer()
    do throws(PostgreSQLError) {
      return try await Self.target(of: name, on: other)
    } catch {
      throw PostgreSQLClusterError(error)
    }
  }

  private static func target(
    of name: String, on server: ServerProcess
  ) async throws(PostgreSQLError) -> PostgreSQLTarget {
    let database = NewDatabase(name: name, socket: server.socket)
    try await database.make(within: limit)
    return try database.target(user: user)
  }

  // MARK: Reset

  /// Removes the data of a folder, so that the next start creates new data.
  ///
  /// - Parameter isKept: whether the data is renamed instead of deleted.
  /// - Returns: the new path of the data; `nil` when it was deleted or there was none.
  /// - Throws: `inUse` while a server uses the folder.
  package static func reset(
    folder: String, keeping isKept: Bool
  ) async throws(PostgreSQLClusterError) -> String? {
    try await blocking {
      Result { () throws(PostgreSQLClusterError) in try discard(folder, isKept: isKept) }
    }.get()
  }

  private nonisolated static func discard(_ path: String, isKept: Bool) throws(PostgreSQLClusterError) -> String? {
    guard Folder.isFolder(path) else { return nil }
    let folder = try ClusterFolder(path, for: ServerUser.current)
    let lock = try Launch.lock(folder)
    let result = Result { () throws(PostgreSQLClusterError) in try discardData(of: folder, isKept: isKept) }
    lock.unlock()
    return try result.get()
  }

  private nonisolated static func discardData(
    of folder: ClusterFolder, isKept: Bool
  ) throws(PostgreSQLClusterError) -> String? {
    try StaleServer.end(in: folder, Launch(isTemporary: false, within: limit))
    guard FileStatus(folder.data) != nil else { return nil }
    guard let aside = File.setAside(folder.data, as: "before", at: UnixTime.now.fileStamp) else {
      throw PostgreSQLClusterError(.cannot("move", folder.data))
    }
    if isKept { return aside }
    do throws(FileError) { try Folder.remove(aside) } catch { throw PostgreSQLClusterError(error) }
    // Root's place for it, unless data that was kept is there.
    if folder.base != folder.path { _ = unsafe rmdir(folder.base) }
    return nil
  }
}
