internal import CPostgreSQL
import EventLoop

/// The answer to one statement, as far as it has come.
struct StatementAnswer {
  private let maximumBytes: Int
  private var bytes = 0
  private var isFlushed = false
  private(set) var rows: [PostgreSQLRow] = []
  /// How many rows the statement changed.
  private(set) var changed = 0
  /// What the server refused.
  private(set) var error: PostgreSQLError?
  var isMindingCancellation = true

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Sends what is left to send, and takes everything up to the end of the answer.
  ///
  /// - Throws: `timedOut`, `cancelled`, `tooLarge`, after which it can go on; `connectionLost`.
  nonisolated(nonsending) mutating func take(
    from handle: ConnectionHandle, until end: UInt64
  ) async throws(PostgreSQLError) {
    while true {
      if !isFlushed {
        isFlushed = try handle.flush()
        try handle.watch(for: isFlushed ? .reading : [.reading, .writing])
      }
      while !handle.isBusy {
        guard let result = handle.nextResult() else {
          // Between two results of a connection that ended there is nothing that says so.
          if error == nil, let failure = handle.failure { throw failure }
          if handle.takeUnreplicated(), error == nil { error = .unreplicated }
          return
        }
        try take(result)
      }
      if let failure = handle.failure { throw failure }
      switch await handle.readiness.wait(until: end, on: handle.loop, mindingCancellation: isMindingCancellation) {
      case .ready: continue
      case .timedOut: throw PostgreSQLError(.timedOut, "The database did not answer in time.")
      case .cancelled: throw PostgreSQLError(.cancelled, "The task was cancelled.")
      }
    }
  }

  private mutating func take(_ result: QueryResult) throws(PostgreSQLError) {
    if let refusal = result.error {
      error = error ?? refusal
    } else if result.status == PGRES_SINGLE_TUPLE {
      let isOver = bytes > maximumBytes
      bytes += result.bytes
      guard bytes <= maximumBytes else {
        rows = []
        // Said once: what still comes while the statement is given up is passed over.
        if isOver { return }
        throw PostgreSQLError(.tooLarge, "The answer of the database has more than \(maximumBytes) bytes.")
      }
      rows.append(PostgreSQLRow(result: result))
    } else {
      changed += result.changed
    }
  }
}
