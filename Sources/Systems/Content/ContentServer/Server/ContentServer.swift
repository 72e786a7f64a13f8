package import ContentRepository
internal import EventLoop
package import HTTPServer
internal import Synchronization

/// A stand-in for AEM on one machine: persisted queries and any other over models and fragments, their pictures, and
/// what goes wrong on a bad day.
///
/// It speaks the wire form of AEM Headless: `/graphql/execute.json`, `/graphql/persist.json`, `/graphql/list.json`, the
/// endpoints below `/content/cq:graphql` with their schemas, the assets at their paths, and `_dynamicUrl`.
package final class ContentServer: StandInServer {
  /// The settings that the server was created with.
  package let configuration: Configuration
  /// The content that the server serves.
  package let repository: ContentRepository
  let persisted = PersistedQueries()
  let types = KnownSchemas()
  let answers = Mutex(BoundedCache<AnswerKey, KeptAnswer>(mostBytes: 32 << 20, most: 4096))
  let pictures = Pictures()
  /// Sent when the server is asked to end.
  let ending = Signal()
  /// The number of servers that had ended when the running one started.
  let endings = Mutex<UInt64>(0)
  private let changes = Atomic<UInt64>(0)
  private let address = Mutex<ServerAddress?>(nil)
  /// The threads on which queries run while the server runs.
  private let threads = Mutex<QueryThreads?>(nil)

  /// - Throws: `ContentProblems` when the folder of the configuration cannot be used.
  package init(configuration: Configuration = Configuration()) throws(ContentProblems) {
    self.configuration = configuration
    repository = try ContentRepository(
      root: configuration.root,
      drawing: { name, width, height in Landscape(name: name).png(width: width, height: height) })
  }

  /// Serves while `body` runs.
  ///
  /// - Throws: `HTTPServerError` when the port is taken, `EventLoopError` when no thread is left, or what `body` throws.
  package func withRunning<Value>(_ body: (ServerAddress) async throws -> Value) async throws -> Value {
    endings.withLock { $0 = ending.count }
    return try await withThreads {
      try await self.server.withRunning { address in
        self.address.withLock { $0 = address }
        defer { self.ending.send() }
        return try await body(address)
      }
    }
  }

  private var server: HTTPServer {
    var options = HTTPServer.Configuration(port: configuration.port)
    options.host = configuration.host
    options.door = configuration.door
    options.requestLog = configuration.requestLog
    return HTTPServer(configuration: options) { await self.respond(to: $0) }
  }

  private func withThreads<Value>(_ body: () async throws -> Value) async throws -> Value {
    let threads = try QueryThreads(count: 2)
    self.threads.withLock { $0 = threads }
    defer {
      self.threads.withLock { $0 = nil }
      threads.stop()
    }
    guard configuration.root != nil else { return try await body() }
    let loop = try EventLoop.started(name: "content-watch", spin: .zero)
    defer { loop.stop() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      let begun = Signal()
      group.addTask(executorPreference: loop) { await RootWatch.run(self, on: loop, begun: begun) }
      defer { group.cancelAll() }
      try await begun.wait(past: 0)
      return try await body()
    }
  }

  /// The number of the content's version. It differs after every change, so that cached answers of older content are
  /// not used.
  var generation: UInt64 { changes.load(ordering: .acquiring) }

  /// Marks all cached answers as outdated.
  func contentChanged() { changes.add(1, ordering: .acquiringAndReleasing) }

  /// Reads the folder anew; what is wrong with it is heard by the configuration, and the last good state served on.
  ///
  /// - Parameter isFirst: nothing has changed that anybody knows of: that all is well goes without saying.
  package func reload(isFirst: Bool = false) {
    let problems = repository.reload()
    contentChanged()
    if !isFirst || !problems.isEmpty { configuration.reloaded(problems) }
  }

  /// A thread for a query that may take long; none where no server runs.
  func queryThread() -> EventLoop? { threads.withLock { $0?.next() } }

  /// The options of execution: `_authorUrl` and `_publishUrl` begin with this server's address, each for its own kind
  /// of instance.
  var runOptions: RunOptions {
    let own = address.withLock { $0?.url }
    return RunOptions(
      hasDynamicURLs: configuration.hasDynamicURLs,
      authorURL: configuration.isAuthor ? own ?? "http://localhost:4502" : "http://localhost:4502",
      publishURL: configuration.isAuthor ? "http://localhost:4503" : own ?? "http://localhost:4503")
  }
}
