package import EventLoop
public import ExtensionProtocol
public import JSON
public import JSONRPC
import Synchronization

/// A running extension: the handle of the code that uses it. Valid inside ``ExtensionHost/withExtension(_:_:)``.
public final class ExtensionProcess: Sendable {
  /// The extension's identity for services.
  public var caller: Caller { Caller(identity: identity, instance: instance.number, process: self) }

  /// The connection to the extension.
  package let connection: Connection
  /// The instance behind the handle.
  let instance: ExtensionInstance
  /// The folder below which files are granted to it, gone when it ends; `nil` for one that the host did not start.
  let scratch: String?
  /// The event loop of the host.
  package let loop: EventLoop
  let monitor: ProcessMonitor?
  let owner: ExtensionUser?
  private let work: OpenWork
  /// The requests of users that are open.
  package let requests = RequestWork()
  /// Records the calls for the statistics.
  let recorder: CallRecorder
  /// When it last called, logged or reported progress, in monotonic nanoseconds.
  private let activity = Atomic<UInt64>(0)
  /// How many of its calls the host is serving now.
  private let served = Atomic<Int>(0)
  /// For how long its user has been asked because of it.
  private let asking = Mutex(AskedTime())
  /// The methods of its point, with the versions that they came with.
  private let calls: [String: PointVersion]
  /// The version of the point's definition that the extension supports.
  private let version = Mutex(PointVersion.first)

  /// The version of the point's definition that the extension supports, from the handshake; ``PointVersion/first`` when
  /// the extension gave none.
  public internal(set) var pointVersion: PointVersion {
    get { version.withLock { $0 } }
    set { version.withLock { $0 = newValue } }
  }

  var identity: Caller.Identity { instance.target.identity }

  /// The host's end of something that the host did not start.
  package convenience init(of instance: ExtensionInstance, connection: Connection, scratch: String?) {
    self.init(
      of: instance, connection: connection, scratch: scratch, monitor: nil, owner: nil, work: OpenWork())
  }

  init(
    of instance: ExtensionInstance, connection: Connection, scratch: String?, monitor: ProcessMonitor?,
    owner: ExtensionUser?, work: OpenWork
  ) {
    self.instance = instance
    self.connection = connection
    self.scratch = scratch
    self.monitor = monitor
    self.owner = owner
    self.work = work
    loop = instance.loop
    let supervisor = instance.supervisor
    let point = instance.target.identity.point
    calls = supervisor.calls.calls(at: point)
    recorder = CallRecorder(
      for: supervisor.surroundings.meter, point: supervisor.configuration.points.shortName(of: point))
  }

  /// Calls a method of the extension.
  ///
  /// - Parameters:
  ///   - method: the params.
  ///   - deadline: the longest time; by default that of the method: 10 s, unless `RemoteMethod.deadline` differs. For
  ///     calls in which an extension works on a user's request, such as `share/didSelectPost`, the time restarts with
  ///     each sign of life.
  ///   - onProgress: called on the host's loop with the extension's progress; must not block.
  /// - Throws: `pointDisallows` when the method is none of the process's point, and `methodNotFound` when it came with a
  ///   later version of the point than the extension speaks: nothing is sent then; the extension's error, with
  ///   ``ExtensionError/isClaim``; else what the host found: `deadlineExceeded`;
  ///   `peerExited` with the exit reason and the last lines of standard error when the process ends first;
  ///   `protocolViolation` when what it sends cannot be read, or is no result of the method; `cancelled`.
  public func call<Method: RemoteMethod>(
    _ method: Method, deadline: Duration? = nil, onProgress: (@Sendable (CallProgress) -> Void)? = nil
  ) async throws(ExtensionError) -> Method.Result {
    if let refusal = refusal(of: Method.method) { throw refusal }
    let rule = Method.deadline.with(deadline)
    do {
      return try await answer(Method.method, method, returning: Method.Result.self, rule, onProgress)
    } catch {
      throw await explain(error, during: Method.method, rule)
    }
  }

  /// Makes a call within its deadlines and records it. Progress restarts the soft deadline, and the hard one only where
  /// that counts from the last sign of life.
  func answer<Params: Encodable & Sendable, Result: Decodable & Sendable>(
    _ name: String, _ params: Params, returning type: Result.Type, _ rule: RequestDeadline,
    _ onProgress: (@Sendable (CallProgress) -> Void)?
  ) async throws(CallFailure) -> Result {
    let start = loop.time
    var hasFailed = true
    defer { recorder.record(.call, name, since: start, at: loop.time, failed: hasFailed) }
    let log = instance.supervisor.configuration.log
    let soft = rule.soft.map {
      SoftDeadline($0, of: name, identity.id, log: log, on: loop) { [weak self] in self?.isUserAsked ?? false }
    }
    soft?.begin()
    defer { soft?.end() }
    var hear = onProgress
    if soft != nil || rule.isIdleBased {
      hear = { [weak self] progress in
        soft?.begin()
        self?.showsLife()
        onProgress?(progress)
      }
    }
    guard let limit = rule.limit else {
      let result = try await connection.attempt(
        name, params, returning: type, deadline: rule.hard, hardDeadline: rule.hard, onProgress: hear)
      hasFailed = false
      return result
    }
    let connection = connection
    do {
      let result = try await whileActive(rule.hard) { [hear] in
        try await connection.attempt(
          name, params, returning: type, deadline: limit, hardDeadline: limit, onProgress: hear)
      }
      hasFailed = false
      return result
    } catch let failure as CallFailure {
      throw failure
    } catch is Silence {
      let silence = ExtensionError(
        .deadlineExceeded, "\(name) took longer than \(rule.hard).", details: ["deadline": .string("silence")])
      throw .found(silence.errorObject)
    } catch {
      throw .found(ExtensionError(wrapping: error).errorObject)
    }
  }

  /// Bytes of messages so far. On the loop's thread.
  var traffic: (received: Int64, sent: Int64) {
    let received = connection.assumeIsolated { $0.bytesReceived }
    return (Int64(clamping: received), Int64(clamping: connection.bytesSent))
  }

  /// Returns the reason a method must not be called; `nil` when it may.
  private func refusal(of method: String) -> ExtensionError? {
    // Nearly every call: one that extensions of any version have.
    if calls[method] == .first { return nil }
    return instance.supervisor.calls.refusal(
      of: method, at: identity.point, version: pointVersion, of: identity.displayName)
  }

  /// Whether a notification is sent; what is not, is logged.
  private func mayTell(_ method: String) -> Bool {
    guard let refusal = refusal(of: method) else { return true }
    // A newer method that an older extension does not know is what versions are for.
    guard refusal.code == .pointDisallows else { return false }
    instance.supervisor.configuration.log.log(
      .error, refusal.message, metadata: ["extension.id": .string(identity.id), "rpc.method": .string(method)])
    return false
  }

  /// Sends a notification; does nothing after the extension has exited. A notification that does not belong to the
  /// process's point is not sent, and the log says so.
  public func notify<Notification: RemoteNotification>(_ notification: Notification) async {
    guard mayTell(Notification.method) else { return }
    try? await connection.notify(Notification.method, notification)
  }

  /// Sends a notification without waiting, so that several keep their order.
  ///
  /// - Throws: `queueFull` when too much waits to be sent, `peerExited` when the extension is gone.
  public func post<Notification: RemoteNotification>(_ notification: Notification) throws(ExtensionError) {
    guard mayTell(Notification.method) else { return }
    do { try connection.post(Notification.method, notification) } catch { throw ExtensionError(error) }
  }

  /// The extension called, logged, or reported progress.
  public func showsLife() { activity.store(loop.time, ordering: .relaxed) }

  /// Counts the extension's open calls to the host. While the host serves one, the extension is not silent.
  func waits(for change: Int) {
    served.add(change, ordering: .relaxed)
    showsLife()
  }

  /// Runs what asks the user something for the extension. Until it ends the deadlines of all calls between the host and the
  /// extension stand still: how long a user takes is nobody's fault.
  public func whileUserIsAsked<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    asking.withLock { $0.begin(at: loop.time) }
    connection.holdDeadlines()
    defer {
      asking.withLock { $0.end(at: loop.time) }
      connection.releaseDeadlines()
    }
    return try await body()
  }

  /// Nanoseconds for which the user has been asked because of the extension, the present question included.
  var timeAsked: UInt64 { asking.withLock { $0.total(at: loop.time) } }

  /// Whether the user is asked something because of the extension now.
  var isUserAsked: Bool { asking.withLock { $0.isOpen } }

  /// Runs an operation until it ends, or until the extension has shown no sign of life for some time. Until then it
  /// counts as at work for the host.
  ///
  /// - Parameters:
  ///   - deadline: the longest time without a sign of life.
  ///   - operation: the operation to wait for; cancelled at the deadline.
  ///   - timeout: creates the error for the caller; it is also stored for the extension's health.
  /// - Throws: the error of `timeout`, or what the operation throws.
  public func within<Value: Sendable>(
    _ deadline: Duration, _ operation: @escaping @Sendable () async throws -> Value,
    timeout: () -> ExtensionError
  ) async throws(ExtensionError) -> Value {
    let open = work.begin()
    defer { work.end(open) }
    do {
      return try await withDeadline(max(RequestDeadline.longest, deadline), on: loop) { [self] in
        try await whileActive(deadline, operation)
      }
    } catch  where error is DeadlineExceeded || error is Silence {
      let error = timeout()
      var finding = Finding(.deadline, error.code, error.message)
      finding.recovery = error.recovery
      finding.deadline = .init(.silence, deadline)
      note(finding)
      throw error
    } catch {
      throw ExtensionError(wrapping: error)
    }
  }

  /// - Throws: `Silence` when there was no sign of life for `silence`; else what the operation throws.
  private func whileActive<Value: Sendable>(
    _ silence: Duration, _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    showsLife()
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask(executorPreference: loop) { try await operation() }
      group.addTask(executorPreference: loop) { [self] in
        while true {
          let isServed = served.load(ordering: .relaxed) > 0
          let quiet = isServed ? .zero : Quiet.since(activity.load(ordering: .relaxed), at: loop.time)
          if quiet >= silence { return nil }
          try await loop.sleep(for: silence - quiet)
        }
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let value = first else { throw Silence() }
      return value
    }
  }

  /// Waits for the end of the process.
  ///
  /// - Returns: `unknown` when it has not ended within the limit, or is none that the host started.
  package func exit(within limit: Duration) async -> ExitReason {
    await monitor?.exit(within: limit) ?? .unknown
  }

  private struct Silence: Error {}
}

/// Calls for which this program has no types: those of an announced point.
extension ExtensionProcess {
  /// Calls a method of the extension with any params, and takes any result.
  ///
  /// - Parameters:
  ///   - method: the wire name.
  ///   - params: an object.
  ///   - rule: how long the call may take.
  ///   - onProgress: hears on the host's loop how far the extension has come; must not block.
  /// - Throws: as ``call(_:deadline:onProgress:)``; the shape of the result is for the caller to check.
  public func call(
    _ method: String, params: JSONValue, rule: RequestDeadline = .standard,
    onProgress: (@Sendable (CallProgress) -> Void)? = nil
  ) async throws(ExtensionError) -> JSONValue {
    do {
      return try await answer(method, params, returning: JSONValue.self, rule, onProgress)
    } catch {
      throw await explain(error, during: method, rule)
    }
  }

  /// Sends a notification with any params; an extension that has exited does not hear it.
  public func notify(_ method: String, params: JSONValue) async { try? await connection.notify(method, params) }
}

/// How long an extension has shown no sign of life.
enum Quiet {
  /// - Parameters:
  ///   - last: when it showed the last one, in monotonic nanoseconds. It may show one between the look at this time and the
  ///     look at the clock, or the other way round: a sign after `now` is no silence.
  ///   - now: on the same clock.
  static func since(_ last: UInt64, at now: UInt64) -> Duration {
    .nanoseconds(Int64(clamping: last < now ? now - last : 0))
  }
}
