package import EventLoop
import Text

/// One connection to a server, for one statement at a time. It lives on an event loop and blocks nothing.
///
/// Every call has a limit of time. A call whose time is over, or whose task is cancelled, has the server give the
/// statement up and closes the connection, since the server may act on that late. A commit that waits for a standby ends
/// by that too, on this server alone: what was to be given up and was done all the same has an unknown outcome.
package actor PostgreSQLConnection {
  /// Statements that a connection keeps prepared; others are planned each time.
  private static let preparedLimit = 256
  /// How long a server that was asked to give a statement up may take to say what became of it.
  private static let grace = Duration.seconds(1)

  /// The loop that the actor runs on.
  package nonisolated let loop: EventLoop
  /// The executor of ``loop``.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  private var handle: ConnectionHandle?
  private var prepared: [ExactText: String] = [:]
  private var isInUse = false

  private let cancelsStatements: Bool

  private init(on loop: EventLoop, cancelsStatements: Bool) {
    self.loop = loop
    self.cancelsStatements = cancelsStatements
  }

  /// Connects to the first server of a target that takes what the target wants: writes, unless it says otherwise.
  ///
  /// - Parameters:
  ///   - limit: the time for all servers together. Each gets its share of what is left, so that one that does not answer
  ///     at all does not keep the others from being asked.
  ///   - cancelsStatements: whether the server is asked to give up what takes too long. Without that it ends by the
  ///     server's `statement_timeout`, which no commit does that waits for a standby.
  /// - Throws: what the last server answered.
  package static func connect(
    to target: PostgreSQLTarget, on loop: EventLoop, within limit: Duration, cancelsStatements: Bool = true
  ) async throws(PostgreSQLError) -> PostgreSQLConnection {
    let connection = PostgreSQLConnection(on: loop, cancelsStatements: cancelsStatements)
    try await connection.open(target, until: loop.time &+ limit.wholeNanoseconds)
    return connection
  }

  private func open(_ target: PostgreSQLTarget, until end: UInt64) async throws(PostgreSQLError) {
    var failure = PostgreSQLError(.cannotConnect, "There is no server to connect to.")
    for (index, server) in target.servers.enumerated() {
      let now = loop.now
      guard now < end else { break }
      let share = (end - now) / UInt64(target.servers.count - index)
      do throws(PostgreSQLError) {
        handle = try await open(target.parameters(for: server), until: now + share)
        return
      } catch {
        failure = error
        if error.kind == .cancelled { break }
      }
    }
    throw failure
  }

  private func open(
    _ parameters: [(String, String)], until end: UInt64
  ) async throws(PostgreSQLError) -> ConnectionHandle {
    let handle = try ConnectionHandle(parameters, on: loop)
    if let failure = handle.failure { throw failure }
    // libpq wants the first wait to be for writing.
    var progress = ConnectionHandle.Progress.waiting(for: .writing)
    while true {
      switch progress {
      case .failed(let error): throw error
      case .made:
        try handle.watch(for: .reading)
        return handle
      case .waiting(let interest):
        try handle.watch(for: interest)
        switch await handle.readiness.wait(until: end, on: loop) {
        case .ready: progress = handle.connect()
        case .timedOut:
          handle.abandon(PostgreSQLError(.cannotConnect, "The server did not answer in time."))
          throw PostgreSQLError(.cannotConnect, "There is no connection to the database: it did not answer in time.")
        case .cancelled:
          handle.abandon(PostgreSQLError(.cancelled, "The task was cancelled."))
          throw PostgreSQLError(.cancelled, "The task was cancelled while it connected to the database.")
        }
      }
    }
  }

  // MARK: Statements

  /// Runs one statement, whose parameters are `$1` and so on, and prepares it for the next time.
  ///
  /// - Parameters:
  ///   - limit: the time until the last row.
  ///   - maximumBytes: of all values of the answer together.
  /// - Returns: the rows of the answer.
  @discardableResult
  package func query(
    _ sql: String, _ values: [PostgreSQLValue] = [], within limit: Duration, maximumBytes: Int = 64 << 20
  ) async throws(PostgreSQLError) -> [PostgreSQLRow] {
    try await answer(sql, values, within: limit, maximumBytes: maximumBytes).rows
  }

  /// Runs one statement as ``query(_:_:within:maximumBytes:)`` does, and drops its rows.
  ///
  /// - Returns: how many rows it inserted, changed, deleted or selected; 0 for statements of other kinds.
  @discardableResult
  package func change(
    _ sql: String, _ values: [PostgreSQLValue] = [], within limit: Duration, maximumBytes: Int = 64 << 20
  ) async throws(PostgreSQLError) -> Int {
    try await answer(sql, values, within: limit, maximumBytes: maximumBytes).changed
  }

  private func answer(
    _ sql: String, _ values: [PostgreSQLValue], within limit: Duration, maximumBytes: Int
  ) async throws(PostgreSQLError) -> StatementAnswer {
    let end = loop.now &+ limit.wholeNanoseconds
    let handle = try begin()
    defer { isInUse = false }
    let parameters = try Parameters(values)
    if let name = try await name(of: sql, parameters, on: handle, until: end) {
      try handle.sendPrepared(name, parameters)
    } else {
      try handle.send(sql, parameters)
    }
    return try await collect(from: handle, until: end, maximumBytes: maximumBytes)
  }

  /// Runs statements without parameters, in one transaction unless they say otherwise. Rows are not kept.
  package func run(script: String, within limit: Duration) async throws(PostgreSQLError) {
    let end = loop.now &+ limit.wholeNanoseconds
    let handle = try begin()
    defer { isInUse = false }
    try handle.sendScript(script)
    _ = try await collect(from: handle, until: end, maximumBytes: 64 << 20)
  }

  /// Runs statements in one transaction, which is committed when the body returns, and rolled back when it throws.
  ///
  /// - Parameter limit: the time of the first and of the last statement; those between have their own.
  /// - Throws: what the body throws, and what the commit meets with, whose outcome may then be unknown.
  package func transaction<Value: Sendable>(
    within limit: Duration, _ body: @Sendable (PostgreSQLConnection) async throws(PostgreSQLError) -> Value
  ) async throws(PostgreSQLError) -> Value {
    try await run(script: "BEGIN", within: limit)
    let value: Value
    do throws(PostgreSQLError) {
      value = try await body(self)
      // The server answers COMMIT with ROLLBACK then, which is no error.
      if handle?.isTransactionRefused == true {
        throw PostgreSQLError(.refused, "A statement of the transaction was refused, so that nothing of it was done.")
      }
    } catch {
      // A connection that cannot roll back has ended, and its transaction with it.
      do throws(PostgreSQLError) { try await run(script: "ROLLBACK", within: limit) } catch { close() }
      throw error
    }
    try await run(script: "COMMIT", within: limit)
    return value
  }

  private func begin() throws(PostgreSQLError) -> ConnectionHandle {
    guard let handle else { throw PostgreSQLError(.connectionLost, "The connection to the database is closed.") }
    if var failure = handle.failure {
      // It ended before this statement was sent.
      failure.isOutcomeUnknown = false
      throw failure
    }
    guard !isInUse else { throw PostgreSQLError(.misuse, "A connection runs one statement at a time.") }
    isInUse = true
    return handle
  }

  /// The name under which the server has a statement; `nil` when there are too many.
  private func name(
    of sql: String, _ parameters: Parameters, on handle: ConnectionHandle, until end: UInt64
  ) async throws(PostgreSQLError) -> String? {
    let key = ExactText(sql)
    if let name = prepared[key] { return name }
    guard prepared.count < Self.preparedLimit else { return nil }
    let name = "s\(prepared.count)"
    try handle.sendPrepare(name, sql, parameters)
    do throws(PostgreSQLError) {
      _ = try await collect(from: handle, until: end, maximumBytes: 0)
      // It was prepared while it was to be given up: the statement itself is not sent any more.
      if let failure = handle.failure { throw failure }
    } catch {
      var error = error
      error.isOutcomeUnknown = false
      throw error
    }
    prepared[key] = name
    return name
  }

  // MARK: Answers

  private func collect(
    from handle: ConnectionHandle, until end: UInt64, maximumBytes: Int
  ) async throws(PostgreSQLError) -> StatementAnswer {
    var answer = StatementAnswer(maximumBytes: maximumBytes)
    do throws(PostgreSQLError) {
      try await answer.take(from: handle, until: end)
    } catch {
      guard error.kind == .timedOut || error.kind == .cancelled || error.kind == .tooLarge else { throw error }
      return try await giveUp(error, answer, on: handle)
    }
    if let error = answer.error { throw error }
    return answer
  }

  /// Has the server give the statement up, and looks for a short time for what became of it.
  private func giveUp(
    _ reason: PostgreSQLError, _ answer: StatementAnswer, on handle: ConnectionHandle
  ) async throws(PostgreSQLError) -> StatementAnswer {
    defer {
      handle.abandon(PostgreSQLError(.connectionLost, "The connection was closed after a statement was given up."))
    }
    // No commit for which the server waits is in what has sent too much already.
    if cancelsStatements || reason.kind == .tooLarge { handle.cancelStatement() }
    var (reason, answer) = (reason, answer)
    answer.isMindingCancellation = false
    do throws(PostgreSQLError) {
      try await answer.take(from: handle, until: loop.now &+ Self.grace.wholeNanoseconds)
    } catch {
      reason.isOutcomeUnknown = true
      throw reason
    }
    if let error = answer.error {
      reason.isOutcomeUnknown = error.isOutcomeUnknown
      throw reason
    }
    // It was done while it was to be given up: before the server heard of it, or instead of waiting for the standby.
    if !cancelsStatements, reason.kind != .tooLarge { return answer }
    reason.isOutcomeUnknown = true
    throw reason
  }

  // MARK: Notifications

  /// What arrives on the channels that this connection listens to: everything that is there by now, or what comes first.
  ///
  /// - Returns: nothing, when the time is over.
  package func notifications(within limit: Duration) async throws(PostgreSQLError) -> [PostgreSQLNotification] {
    let end = loop.now &+ limit.wholeNanoseconds
    let handle = try begin()
    defer { isInUse = false }
    while true {
      var arrived: [PostgreSQLNotification] = []
      while let notification = handle.nextNotification() { arrived.append(notification) }
      if !arrived.isEmpty { return arrived }
      if let failure = handle.failure { throw failure }
      switch await handle.readiness.wait(until: end, on: loop) {
      case .ready: continue
      case .timedOut: return []
      case .cancelled: throw PostgreSQLError(.cancelled, "The task was cancelled.")
      }
    }
  }

  // MARK: State

  /// Whether a statement can be sent, and none before it left a transaction open.
  package var isUsable: Bool {
    guard let handle, !isInUse else { return false }
    return handle.failure == nil && !handle.isInTransaction
  }

  /// Whether that is so, and the server is there as far as can be known without asking it.
  package var isFresh: Bool { isUsable && handle?.isQuiet == true }

  /// Closes the connection; what is sent on it afterwards fails.
  package func close() { handle = nil }

  /// Which server this is; `nil` after the end of the connection.
  package var server: PostgreSQLServer? {
    guard let handle, handle.failure == nil else { return nil }
    return PostgreSQLServer(
      host: handle.host, port: handle.port, database: handle.database, user: handle.user,
      version: handle.serverVersion, processID: handle.processID)
  }
}

/// A server, as a connection knows it.
package struct PostgreSQLServer: Sendable, Equatable {
  /// A name, an address, or the folder of a Unix socket.
  package let host: String
  /// The port, as libpq knows it.
  package let port: String
  /// The name of the database.
  package let database: String
  /// The role that is signed in.
  package let user: String
  /// 150018 is 15.18.
  package let version: Int
  /// The server's process for the connection.
  package let processID: Int32
}
