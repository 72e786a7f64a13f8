package import EventLoop

/// Some connections to one database, which are made when they are needed and lent one caller at a time.
package actor PostgreSQLPool {
  /// How a pool connects.
  package struct Options: Sendable {
    /// The server, the database and the credentials.
    package var target: PostgreSQLTarget
    /// Connections at most; who comes when all are lent waits.
    package var maximumCount = 4
    /// The time that a new connection may take.
    package var connectTimeout = Duration.seconds(3)
    /// Whether the server is asked to give up what takes too long; see
    /// ``PostgreSQLConnection/connect(to:on:within:cancelsStatements:)``.
    package var cancelsStatements = true
    /// Called with each new connection before it is lent. What it throws is what the borrower gets.
    package var prepare: @Sendable (PostgreSQLConnection) async throws(PostgreSQLError) -> Void = {
      (_) async throws(PostgreSQLError) in
    }

    /// Creates options with the defaults and this target.
    package init(target: PostgreSQLTarget) { self.target = target }
  }

  /// Milliseconds before the first and before every later attempt to reach a server that was not reached.
  private static let (firstPause, longestPause) = (10.0, 500.0)

  /// The loop that the actor and its connections run on.
  package nonisolated var loop: EventLoop { thread.loop }
  private nonisolated let thread: LoopThread
  /// The executor of ``loop``.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private let options: Options

  private var idle: [PostgreSQLConnection] = []
  private var lentCount = 0
  private var waiting: [(number: Int, readiness: Readiness)] = []
  /// Who was given the place of somebody else, and has not run since.
  private var granted: Set<Int> = []
  private var nextNumber = 0

  /// A pool on somebody's thread, whose own work there has no hop to it.
  package init(_ options: Options, on thread: LoopThread) {
    self.options = options
    self.thread = thread
  }

  /// A pool with a thread of its own, which ends with it.
  ///
  /// - Throws: `cannotConnect` when the process has no descriptor or no thread left.
  package init(_ options: Options) throws(PostgreSQLError) {
    do throws(EventLoopError) {
      self.init(options, on: try LoopThread(name: "annex-postgres"))
    } catch {
      throw PostgreSQLError(.cannotConnect, "There is no connection to the database: \(error)")
    }
  }

  // Before the thread ends, on which the connections are closed.
  deinit { idle = [] }

  // MARK: Borrowing

  /// Lends a connection to the body, once. One that a statement broke, or left in a transaction, is not lent again.
  ///
  /// - Parameter limit: how long to wait for a connection. The body's statements have their own limits.
  package func withConnection<Value: Sendable>(
    within limit: Duration, _ body: @Sendable (PostgreSQLConnection) async throws(PostgreSQLError) -> Value
  ) async throws(PostgreSQLError) -> Value {
    let connection = try await borrow(until: loop.now &+ limit.wholeNanoseconds)
    do throws(PostgreSQLError) {
      let value = try await body(connection)
      await giveBack(connection)
      return value
    } catch {
      await giveBack(connection)
      throw error
    }
  }

  /// The same, again and again while that may help, with pauses: after lost connections, serialisation failures and
  /// deadlocks, while servers start or take over from each other.
  ///
  /// - Parameters:
  ///   - limit: the time in which it is to be done.
  ///   - body: must do the same if it is carried out twice. It is told how much time is left.
  /// - Throws: the last failure; its `isOutcomeUnknown` says whether any of the attempts may have had an effect.
  package func retrying<Value: Sendable>(
    within limit: Duration,
    _ body: @Sendable (PostgreSQLConnection, Duration) async throws(PostgreSQLError) -> Value
  ) async throws(PostgreSQLError) -> Value {
    let end = loop.now &+ limit.wholeNanoseconds
    var isOutcomeUnknown = false
    var pause = Self.firstPause
    while true {
      do throws(PostgreSQLError) {
        return try await withConnection(within: remaining(until: end)) {
          (connection) async throws(PostgreSQLError) in
          try await body(connection, self.remaining(until: end))
        }
      } catch {
        var failure = error
        isOutcomeUnknown = isOutcomeUnknown || error.isOutcomeUnknown
        failure.isOutcomeUnknown = isOutcomeUnknown
        let time = Duration.milliseconds(.random(in: pause / 2...pause))
        guard error.isRetryable, remaining(until: end) > time else { throw failure }
        // The first repetition costs no time: most connections that are lost can be made again.
        if pause > Self.firstPause || error.kind == .cannotConnect {
          do { try await loop.sleep(for: time) } catch { throw failure }
        }
        pause = min(2 * pause, Self.longestPause)
      }
    }
  }

  private nonisolated func remaining(until end: UInt64) -> Duration {
    let now = loop.time
    return now < end ? .nanoseconds(Int64(clamping: end - now)) : .zero
  }

  private func borrow(until end: UInt64) async throws(PostgreSQLError) -> PostgreSQLConnection {
    try await takePlace(until: end)
    while let connection = idle.popLast() {
      if await connection.isFresh { return connection }
    }
    do throws(PostgreSQLError) {
      let connection = try await PostgreSQLConnection.connect(
        to: options.target, on: loop, within: min(remaining(until: end), options.connectTimeout),
        cancelsStatements: options.cancelsStatements)
      try await options.prepare(connection)
      return connection
    } catch {
      givePlace()
      // The statement has not been sent.
      var error = error
      error.isOutcomeUnknown = false
      throw error
    }
  }

  private func giveBack(_ connection: PostgreSQLConnection) async {
    if await connection.isUsable { idle.append(connection) }
    givePlace()
  }

  // MARK: Places

  /// Waits until fewer connections than there may be are lent; who came first is first.
  private func takePlace(until end: UInt64) async throws(PostgreSQLError) {
    if lentCount < options.maximumCount {
      lentCount += 1
      return
    }
    let (number, readiness) = (nextNumber, Readiness())
    nextNumber += 1
    waiting.append((number, readiness))
    while true {
      let outcome = await readiness.wait(until: end, on: loop)
      if granted.remove(number) != nil { return }
      if outcome == .ready { continue }
      waiting.removeAll { $0.number == number }
      throw outcome == .cancelled
        ? PostgreSQLError(.cancelled, "The task was cancelled.")
        : PostgreSQLError(.timedOut, "Every connection to the database was in use for too long.")
    }
  }

  private func givePlace() {
    guard let next = waiting.first else {
      lentCount -= 1
      return
    }
    waiting.removeFirst()
    granted.insert(next.number)
    next.readiness.send()
  }
}
