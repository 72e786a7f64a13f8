internal import CPostgreSQL
import EventLoop
internal import Glibc

/// The C connection and its descriptor in the event loop. Belongs to the loop's thread, as the actor that holds it does.
@safe
final class ConnectionHandle {
  let loop: EventLoop
  let readiness = Readiness()
  private let pointer: OpaquePointer
  /// Set by libpq's receiver of notices, which runs on the loop's thread, in calls that are made here.
  private let unreplicated: UnsafeMutablePointer<Bool>
  private var watch: Watch?
  private var isConnecting = true
  /// Why nothing more can be asked; `nil` while all is well.
  private(set) var failure: PostgreSQLError?
  /// Whether something has come while nothing was asked.
  private var hasUnaskedInput = false

  /// Begins to connect. Names are resolved here, on the loop's thread.
  ///
  /// - Throws: `cannotConnect` without memory.
  init(_ parameters: [(String, String)], on loop: EventLoop) throws(PostgreSQLError) {
    let started = unsafe Self.withCStrings(parameters.map(\.0)) { names in
      unsafe Self.withCStrings(parameters.map(\.1)) { values in unsafe PQconnectStartParams(names, values, 1) }
    }
    guard let started = unsafe started else {
      throw PostgreSQLError(.cannotConnect, "There is no memory for a connection.")
    }
    self.loop = loop
    unsafe pointer = started
    unsafe unreplicated = .allocate(capacity: 1)
    unsafe unreplicated.initialize(to: false)
    unsafe cpostgresql_take_notices(started, unreplicated)
    if unsafe PQstatus(started) == CONNECTION_BAD { failure = connectFailure }
  }

  deinit {
    let leftover = unsafe Leftover(pointer, unreplicated, watch)
    loop.execute { [loop] in leftover.close(on: loop) }
  }

  /// What is left of a connection that nobody holds any more.
  ///
  /// `@unchecked Sendable`, because: the handle that made it is gone, so that the loop's thread, which it is given to, is
  /// the only one that knows it.
  @safe
  private struct Leftover: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let unreplicated: UnsafeMutablePointer<Bool>
    private let watch: Watch?

    @unsafe init(_ pointer: OpaquePointer, _ unreplicated: UnsafeMutablePointer<Bool>, _ watch: Watch?) {
      unsafe self.pointer = pointer
      unsafe self.unreplicated = unreplicated
      self.watch = watch
    }

    func close(on loop: EventLoop) {
      if let watch { loop.unwatch(watch) }
      unsafe PQfinish(pointer)
      unsafe unreplicated.deallocate()
    }
  }

  // MARK: Connecting

  /// What a connection that is being made waits for.
  enum Progress {
    case waiting(for: Interest), made, failed(PostgreSQLError)
  }

  /// One step of connecting.
  func connect() -> Progress {
    // Each step may close the socket and open another.
    unwatch()
    switch unsafe PQconnectPoll(pointer) {
    case PGRES_POLLING_READING: return .waiting(for: .reading)
    case PGRES_POLLING_WRITING: return .waiting(for: .writing)
    case PGRES_POLLING_OK:
      isConnecting = false
      unsafe PQsetnonblocking(pointer, 1)
      return .made
    default:
      let failure = connectFailure
      self.failure = failure
      return .failed(failure)
    }
  }

  private var connectFailure: PostgreSQLError {
    let message = unsafe ServerText.line(String(cString: PQerrorMessage(pointer)))
    // libpq tells the sorts apart in words only; those that the user has to mend are worth it.
    let isRefused = ["authentication failed", "no password supplied", "does not exist", "no pg_hba.conf entry"]
      .contains { message.contains($0) }
    let isMissing = message.contains("No such file or directory")
    return PostgreSQLError(
      isRefused && !isMissing ? .notAdmitted : .cannotConnect, "There is no connection to the database: \(message).")
  }

  // MARK: The descriptor

  /// Has the loop look at the socket from now on.
  func watch(for interest: Interest) throws(PostgreSQLError) {
    do throws(WatchError) {
      if let watch { return try loop.update(watch, to: interest) }
      watch = try loop.watch(unsafe PQsocket(pointer), for: interest) { [weak self] in self?.became($0) }
    } catch {
      throw lost("The socket of the database cannot be waited for (errno \(error.errno)).")
    }
  }

  private func unwatch() {
    if let watch { loop.unwatch(watch) }
    watch = nil
  }

  /// What the server sends is taken in at once: the loop calls as long as something is there.
  private func became(_ interest: Interest) {
    if !isConnecting, unsafe PQtransactionStatus(pointer) != PQTRANS_ACTIVE, isReadable { hasUnaskedInput = true }
    if isConnecting {
      unwatch()
    } else if interest.contains(.reading), unsafe PQconsumeInput(pointer) == 0 {
      _ = lost(unsafe String(cString: PQerrorMessage(pointer)))
    }
    readiness.send()
  }

  /// Whether something has come, or the end, since it was last looked at.
  private var isReadable: Bool {
    var socket = unsafe pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
    return unsafe poll(&socket, 1, 0) != 0
  }

  /// Whether the server has neither ended the connection nor said what nobody has asked for, as one does that ends. What
  /// is sent on another may never be read, and nobody knows then.
  var isQuiet: Bool { failure == nil && !hasUnaskedInput && !isReadable }

  /// Ends the connection for a reason.
  @discardableResult
  func lost(_ message: String) -> PostgreSQLError {
    unwatch()
    let error = failure ?? PostgreSQLError(.connectionLost, ServerText.line(message) + ".", isOutcomeUnknown: true)
    failure = error
    return error
  }

  /// Closes what nothing more is asked of.
  func abandon(_ error: PostgreSQLError) {
    unwatch()
    if failure == nil { failure = error }
  }

  // MARK: Statements

  func sendPrepare(_ name: String, _ sql: String, _ parameters: Parameters) throws(PostgreSQLError) {
    let sent = unsafe parameters.types.withUnsafeBufferPointer {
      unsafe PQsendPrepare(pointer, name, sql, Int32($0.count), $0.baseAddress)
    }
    if sent == 0 { throw unsent }
  }

  func sendPrepared(_ name: String, _ parameters: Parameters) throws(PostgreSQLError) {
    let sent = unsafe parameters.withPointers { count, values, lengths, formats in
      unsafe PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 1)
    }
    if sent == 0 { throw unsent }
    unsafe PQsetSingleRowMode(pointer)
  }

  func send(_ sql: String, _ parameters: Parameters) throws(PostgreSQLError) {
    let sent = unsafe parameters.types.withUnsafeBufferPointer { types in
      unsafe parameters.withPointers { count, values, lengths, formats in
        unsafe PQsendQueryParams(pointer, sql, count, types.baseAddress, values, lengths, formats, 1)
      }
    }
    if sent == 0 { throw unsent }
    unsafe PQsetSingleRowMode(pointer)
  }

  /// Statements without parameters, in one transaction unless they say otherwise.
  func sendScript(_ sql: String) throws(PostgreSQLError) {
    if unsafe PQsendQuery(pointer, sql) == 0 { throw unsent }
  }

  /// Nothing has left this process.
  private var unsent: PostgreSQLError {
    var error = lost(unsafe String(cString: PQerrorMessage(pointer)))
    error.isOutcomeUnknown = false
    return error
  }

  /// - Returns: whether everything has been sent.
  func flush() throws(PostgreSQLError) -> Bool {
    switch unsafe PQflush(pointer) {
    case 0: true
    case 1: false
    default: throw lost(unsafe String(cString: PQerrorMessage(pointer)))
    }
  }

  /// Whether the next result has not come as a whole.
  var isBusy: Bool { unsafe PQisBusy(pointer) == 1 }

  /// The next result; `nil` after the last one.
  func nextResult() -> QueryResult? {
    let result = unsafe PQgetResult(pointer)
    if unsafe PQstatus(pointer) == CONNECTION_BAD { lost(unsafe String(cString: PQerrorMessage(pointer))) }
    return unsafe result.map { unsafe QueryResult(taking: $0) }
  }

  /// Whether the server has said, since this was last asked, that a commit may not have reached its standby.
  func takeUnreplicated() -> Bool {
    defer { unsafe unreplicated.pointee = false }
    return unsafe unreplicated.pointee
  }

  /// Whether the server is in a transaction.
  var isInTransaction: Bool { unsafe PQtransactionStatus(pointer) != PQTRANS_IDLE }
  /// Whether a statement of the transaction was refused: the server takes its end only, and undoes it.
  var isTransactionRefused: Bool { unsafe PQtransactionStatus(pointer) == PQTRANS_INERROR }

  /// Asks the server, by a connection of its own, to give up what it does for this one. That call of libpq blocks, so it
  /// has a thread, which ends when the server has answered.
  func cancelStatement() {
    guard let canceller = unsafe PQgetCancel(pointer) else { return }
    let request = unsafe CancelRequest(canceller)
    // Without a thread the statement runs on until its own time is over.
    _ = SystemThread.start(name: "annex-pg-cancel", stack: 1 << 18) { request.send() }
  }

  // MARK: What is known of the server

  var serverVersion: Int { Int(unsafe PQserverVersion(pointer)) }
  var processID: Int32 { unsafe PQbackendPID(pointer) }
  var host: String { unsafe PQhost(pointer).map { unsafe String(cString: $0) } ?? "" }
  var port: String { unsafe PQport(pointer).map { unsafe String(cString: $0) } ?? "" }
  var database: String { unsafe PQdb(pointer).map { unsafe String(cString: $0) } ?? "" }
  var user: String { unsafe PQuser(pointer).map { unsafe String(cString: $0) } ?? "" }

  /// The next notification that has arrived.
  func nextNotification() -> PostgreSQLNotification? {
    guard let notification = unsafe PQnotifies(pointer) else { return nil }
    defer { unsafe PQfreemem(notification) }
    return unsafe PostgreSQLNotification(
      channel: String(cString: notification.pointee.relname), payload: String(cString: notification.pointee.extra),
      processID: notification.pointee.be_pid)
  }

  /// Calls the body with a C array of strings that a NULL ends.
  @unsafe private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
  ) -> Result {
    var (bytes, starts): ([CChar], [Int]) = ([], [])
    for string in strings {
      starts.append(bytes.count)
      bytes += string.utf8CString
    }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      var pointers = unsafe starts.map { start in unsafe buffer.baseAddress.map { unsafe $0 + start } }
      unsafe pointers.append(nil)
      return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
  }
}

/// A request to give up a statement.
///
/// `@unchecked Sendable`, because: libpq lets any thread use and free it, and only the one that it is given to does.
@safe
private final class CancelRequest: @unchecked Sendable {
  private let pointer: OpaquePointer

  @unsafe init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe PQfreeCancel(pointer) }

  func send() {
    var message = [CChar](repeating: 0, count: 256)
    unsafe PQcancel(pointer, &message, Int32(message.count))
  }
}

/// What another connection told everybody who listens.
package struct PostgreSQLNotification: Sendable, Equatable {
  /// The name of the channel.
  package let channel: String
  /// The text that the sender attached; empty without one.
  package let payload: String
  /// The server's process for the connection that told it.
  package let processID: Int32
}
