import CLinux
import EventLoop
import JSON
import Synchronization

extension Connection {
  /// Calls a method of the peer and waits for the result.
  ///
  /// Cancelling the task sends `$/cancelRequest` to the peer. The call then throws -32800 when the peer answers, or
  /// after a grace period.
  ///
  /// - Parameters:
  ///   - deadline: the longest time to wait; after it the request is cancelled at the peer and -32006 thrown. `nil`
  ///     waits for ever.
  ///   - hardDeadline: the longest time for the whole call. With `onProgress`, `deadline` limits the time between two
  ///     reports.
  ///   - onProgress: called on the loop with each progress report of the peer; must not block.
  /// - Throws: the peer's error; -32001 with the reason when the connection ends; -32005 when too many calls wait
  ///   already; -32004 when the params are too large; -32010 when the result has another shape.
  package nonisolated func call<Params: Encodable & Sendable, Result: Decodable & Sendable>(
    _ method: String, _ params: Params, returning type: Result.Type = Result.self, deadline: Duration?,
    hardDeadline: Duration? = nil, onProgress: (@Sendable (CallProgress) -> Void)? = nil
  ) async throws(ErrorObject) -> Result {
    do {
      return try await attempt(
        method, params, returning: type, deadline: deadline, hardDeadline: hardDeadline, onProgress: onProgress)
    } catch {
      throw error.object
    }
  }

  /// The same as ``call(_:_:returning:deadline:hardDeadline:onProgress:)``, for callers that need the origin of a
  /// failure.
  package nonisolated func attempt<Params: Encodable & Sendable, Result: Decodable & Sendable>(
    _ method: String, _ params: Params, returning type: Result.Type = Result.self, deadline: Duration?,
    hardDeadline: Duration? = nil, onProgress: (@Sendable (CallProgress) -> Void)? = nil
  ) async throws(CallFailure) -> Result {
    let id: Int64
    let frame: OutgoingFrame
    do throws(ErrorObject) {
      var writer = OutgoingFrame.writer()
      try encode(params, method, &writer)
      id = shared.withLock { $0.calls.nextID() }
      let meta = Self.meta(of: id, deadline: hardDeadline ?? deadline, wantsProgress: onProgress != nil)
      frame = OutgoingFrame.request(id, method, writer, configuration.framing, meta: meta)
      try checkSize(frame)
    } catch {
      throw .found(error)
    }
    let watch = onProgress.map { makeWatch($0, deadline, hardDeadline) }
    let answer = await withTaskCancellationHandler {
      await unsafe withUnsafeContinuation { unsafe submit(frame, id, Waiter($0), deadline, watch) }
    } onCancel: {
      cancelCall(id)
    }
    let depth = configuration.maximumDepth
    switch answer {
    case .copied(let bytes):
      return try decodeResult(method) { try JSONCoding.decode(type, from: bytes, maximumDepth: depth) }
    case .detached(let bytes, let range):
      return try decodeResult(method) {
        try unsafe bytes.withBytes(range) { try unsafe JSONCoding.decode(type, from: $0, maximumDepth: depth) }
      }
    case .failure(let error): throw error
    }
  }

  /// Sends a notification, which has no answer. Notifications arrive in order.
  ///
  /// - Throws: -32001 when the connection has ended, -32004 or -32005 when the message does not fit.
  package nonisolated func notify<Params: Encodable & Sendable>(
    _ method: String, _ params: Params
  ) async throws(ErrorObject) {
    try post(method, params)
  }

  /// The same from code that is not async.
  package nonisolated func post<Params: Encodable & Sendable>(
    _ method: String, _ params: Params
  ) throws(ErrorObject) {
    var writer = OutgoingFrame.writer()
    try encode(params, method, &writer)
    let meta = MessageMeta.current.map { MessageMeta(trace: $0.trace, requestID: $0.requestID) }
    let frame = OutgoingFrame.request(nil, method, writer, configuration.framing, meta: meta)
    try checkSize(frame)
    try post(frame)
  }

  /// Puts a notification into the outgoing queue.
  nonisolated func post(_ frame: OutgoingFrame) throws(ErrorObject) {
    let isOnLoop = loop.isOnLoop
    let (step, refusal) = shared.withLock { shared -> (WriteStep, ErrorObject?) in
      if let refusal = shared.refusal(frame, configuration) { return (.nothing, refusal) }
      return (shared.append(frame, isOnLoop), nil)
    }
    if let refusal { throw refusal }
    follow(step)
  }

  /// The `_meta` of a call: none, unless it is part of a request or its caller wants reports of progress.
  private static func meta(of id: Int64, deadline: Duration?, wantsProgress: Bool) -> MessageMeta? {
    let carried = MessageMeta.carried
    guard carried != nil || wantsProgress else { return nil }
    let current = carried?.meta
    let milliseconds = deadline.map { Int64(clamping: $0.wholeNanoseconds / 1_000_000) }
    var meta = MessageMeta(
      trace: current?.trace?.child(), deadlineMs: milliseconds, requestID: current?.requestID)
    if wantsProgress { meta.progressToken = .number(id) }
    return meta
  }

  private nonisolated func makeWatch(
    _ report: @escaping @Sendable (CallProgress) -> Void, _ deadline: Duration?, _ hardDeadline: Duration?
  ) -> CallStateMachine<Waiter>.Watch {
    let time = clinux_monotonic_nanoseconds()
    let now = shared.withLock { $0.clock.time(at: time) }
    return .init(
      report: report, timeout: deadline?.wholeNanoseconds, hardDue: hardDeadline.map { now &+ $0.wholeNanoseconds })
  }

  private nonisolated func encode(
    _ params: some Encodable, _ method: String, _ writer: inout JSONWriter
  ) throws(ErrorObject) {
    do {
      try JSONCoding.encode(params, to: &writer)
    } catch {
      throw .invalidParams("The params of \(method) cannot be written as JSON: \(error)")
    }
  }

  private nonisolated func checkSize(_ frame: OutgoingFrame) throws(ErrorObject) {
    if frame.length > configuration.maximumFrameBytes {
      throw .frameTooLarge(
        "A message of \(frame.length) bytes is over the limit of \(configuration.maximumFrameBytes).")
    }
  }

  private nonisolated func decodeResult<Result>(
    _ method: String, _ body: () throws -> Result
  ) throws(CallFailure) -> Result {
    do {
      return try body()
    } catch {
      let detail = ErrorObject(decodingParams: error)
      throw .misanswered(
        ErrorObject(
          code: ErrorObject.protocolViolationCode,
          message: "The result of \(method) is not what was expected. \(detail.message)", data: detail.data))
    }
  }

  private nonisolated func submit(
    _ frame: OutgoingFrame, _ id: Int64, _ waiter: Waiter, _ deadline: Duration?,
    _ watch: CallStateMachine<Waiter>.Watch?
  ) {
    if Task.isCancelled { return waiter.resume(.failure(.found(.cancelled()))) }
    let isOnLoop = loop.isOnLoop
    let now = loop.time
    let (step, refusal, needsTimer) = shared.withLock { shared -> (WriteStep, ErrorObject?, Bool) in
      let due = deadline.map { shared.clock.time(at: now) &+ $0.wholeNanoseconds }
      if let refusal = shared.refusal(frame, configuration) { return (.nothing, refusal, false) }
      if shared.calls.begin(id, waiter, due: due, watch: watch) == .full {
        let message = "\(configuration.maximumInFlight) calls wait for an answer already."
        return (.nothing, .queueFull(message), false)
      }
      return (shared.append(frame, isOnLoop), nil, shared.arm(due))
    }
    if let refusal { return waiter.resume(.failure(.found(refusal))) }
    if needsTimer { scheduleCallTimer() }
    follow(step)
    // A cancellation between the first look and the entry in the table has found nothing to cancel.
    if Task.isCancelled { cancelCall(id) }
  }

  /// The id of the call that has waited longest for its answer; `nil` when none waits.
  package nonisolated var oldestCall: Int64? { shared.withLock { $0.calls.oldest } }

  /// Sends one cancellation to the peer. The caller keeps waiting for the answer, but not longer than the grace period.
  nonisolated func cancelCall(_ id: Int64) {
    let isOnLoop = loop.isOnLoop
    let now = clinux_monotonic_nanoseconds()
    let grace = configuration.cancellationGrace.wholeNanoseconds
    let (step, needsTimer) = shared.withLock { shared -> (WriteStep, Bool) in
      let ends = shared.clock.time(at: now) &+ grace
      guard shared.calls.cancel(id, graceEnds: ends) else { return (.nothing, false) }
      return (shared.append(.cancel(id, configuration.framing), isOnLoop), shared.arm(ends))
    }
    if needsTimer { scheduleCallTimer() }
    follow(step)
  }
}

extension Connection.Shared {
  /// Why a message of this side is not taken.
  func refusal(_ frame: OutgoingFrame, _ configuration: Connection.Configuration) -> ErrorObject? {
    if let closed { return closed.errorObject }
    if isOver { return CloseReason.finished.errorObject }
    guard !outbox.isEmpty, outbox.count + frame.length > configuration.maximumOutgoingBytes else { return nil }
    return .queueFull("\(outbox.count) bytes wait to be sent; the limit is \(configuration.maximumOutgoingBytes).")
  }

  /// True when an earlier timer than the present one is needed.
  mutating func arm(_ due: UInt64?) -> Bool {
    guard let due, due < armedFor else { return false }
    armedFor = due
    return true
  }
}

/// The failure of a call, by its origin: the peer's answer, or what happened on this side. A caller that must not trust
/// the peer's word distinguishes these cases and not the code of an error, as a peer may answer with any code.
package enum CallFailure: Error, Sendable {
  /// The peer answered with this error, whatever it says.
  case answered(ErrorObject)
  /// The peer answered with something that is neither a result of the method nor an error object; says what is wrong.
  case misanswered(ErrorObject)
  /// This side found it: the connection ended, the time was over, too much waits. Never decoded from what came.
  case found(ErrorObject)

  /// The error object, without its origin.
  package var object: ErrorObject {
    switch self {
    case .answered(let object), .misanswered(let object), .found(let object): object
    }
  }
}
