package import EventLoop
import Files
import Glibc
package import PostgreSQL
import Time

/// A private server of PostgreSQL in a folder: on a Unix socket alone, by a user of its own when root, stopped with this
/// process however that ends. Only one process uses a folder at a time. Nothing of a server that is there is touched.
package actor PostgreSQLCluster {
  /// The user that databases belong to: it can do everything in them and nothing to the machine.
  package static let user = "annex"
  private static let limit = Duration.seconds(30)

  package nonisolated let folder: String
  private let isTemporary: Bool
  private let startLimit: Duration
  private var server: ServerProcess?
  /// Where the last server had its socket.
  private var socket: String?
  private var isStopped = false
  /// The start that somebody waits for.
  private var launch: Launch?
  /// Who waits for its end.
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// A server whose data stays in the folder, which is made where it is not there.
  ///
  /// - Parameter limit: the time for a start, the first one with the making of the data included.
  package init(folder: String, startingWithin limit: Duration = .seconds(60)) {
    self.folder = folder
    isTemporary = false
    startLimit = limit
  }

  private init(temporary folder: String, startingWithin limit: Duration) {
    self.folder = folder
    isTemporary = true
    startLimit = limit
  }

  /// A server whose data goes with it.
  package static func temporary(
    startingWithin limit: Duration = .seconds(60)
  ) throws(PostgreSQLClusterError) -> PostgreSQLCluster {
    do throws(FileError) {
      let folder = try Folder.makeTemporary(beginning: "/tmp/annex-database-")
      return PostgreSQLCluster(temporary: folder, startingWithin: limit)
    } catch {
      throw PostgreSQLClusterError(error)
    }
  }

  // MARK: Starting and stopping

  /// Starts the server, unless it runs.
  package func start() async throws(PostgreSQLClusterError) { _ = try await runningServer() }

  private func runningServer() async throws(PostgreSQLClusterError) -> ServerProcess {
    while true {
      if let server, server.isRunning { return server }
      if launch == nil { break }
      await endOfLaunch()
      if Task.isCancelled { throw .cancelled }
    }
    // One that crashed, or that somebody ended.
    let last = server
    server = nil
    isStopped = false
    let launch = Launch(isTemporary: isTemporary, socket: socket, within: startLimit)
    self.launch = launch
    let result = await withTaskCancellationHandler {
      await Self.blocking { [folder] in
        last?.stop()
        return Result { () throws(PostgreSQLClusterError) in try launch.run(folder) }
      }
    } onCancel: {
      launch.cancel()
    }
    self.launch = nil
    let waiting = waiting
    self.waiting = []
    for continuation in waiting { continuation.resume() }
    let started = try result.get()
    if launch.isCancelled {
      await Self.blocking { started.stop() }
      throw .cancelled
    }
    server = started
    socket = started.socket
    return started
  }

  /// Starts the server again whenever it has ended by itself: somebody has killed it, or its disk is full. Who has a
  /// database has it again then. Returns once the server was stopped, which who cancels the task has to do.
  ///
  /// - Parameters:
  ///   - pause: the time between two attempts.
  ///   - tell: hears why it is not there, each reason once, and `nil` when it is again.
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

  /// Waits until nobody starts the server.
  private func endOfLaunch() async {
    await withCheckedContinuation { continuation in
      if launch == nil { continuation.resume() } else { waiting.append(continuation) }
    }
  }

  /// Stops the server, and gives up a start. Open transactions are rolled back. Data that was to go is gone then.
  package func stop() async {
    isStopped = true
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

  /// The target of a database, which is made when it is not there: with the extension `vector` where that is installed.
  /// The server is started when it does not run.
  package func database(_ name: String) async throws(PostgreSQLClusterError) -> PostgreSQLTarget {
    guard (1...63).contains(name.utf8.count), !name.utf8.contains(0) else {
      throw PostgreSQLClusterError(
        .refused, "The name of a database has 1 to 63 bytes.", recovery: "Choose another name.")
    }
    let server = try await runningServer()
    do throws(PostgreSQLError) {
      return try await Self.target(of: name, on: server)
    } catch {
      // The first to notice that the server has crashed.
      guard error.isRetryable, await Self.blocking({ server.ends(withinMilliseconds: 2_000) }) else {
        throw PostgreSQLClusterError(error)
      }
    }
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

  // MARK: Beginning anew

  /// Takes the data of a folder away, so that the next start begins with none.
  ///
  /// - Parameter isKept: whether it is moved aside and not deleted.
  /// - Returns: where it is now; `nil` where it is gone or there was none.
  /// - Throws: `inUse` while a server uses it.
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
