import JSON
import EventLoop
import Synchronization

/// Requests and notifications of the peer.
extension Connection {
  /// More notifications than this that have not been dealt with, and further ones are dropped.
  static let maximumNotifications = 1024

  @unsafe func request(_ id: RequestID, _ method: String, _ params: UnsafeRawBufferPointer?) {
    let slot: Int
    switch queue.begin(id) {
    case .duplicate:
      refusedCame()
      return handler.report(.duplicateRequest(id), on: self)
    case .full:
      refusedCame()
      handler.report(.tooManyRequests(id), on: self)
      let message = "\(configuration.maximumInFlight) requests are being answered already."
      return send(.failure(id, .queueFull(message), configuration.framing))
    case .accepted(let place): slot = place
    }
    do throws(ErrorObject) {
      var weight = 0
      guard let work = try unsafe accept(id, method, params, by: handler, weight: &weight) else {
        throw .internalError("The handler gave no answer.")
      }
      queue.add(AcceptedMessage(id: id, slot: slot, work: work, weight: weight))
    } catch {
      refusedCame()
      queue.drop(id, slot)
      send(.failure(id, error, configuration.framing))
    }
  }

  @unsafe func notification(_ method: String, _ params: UnsafeRawBufferPointer?) {
    if method == "$/cancelRequest" {
      notificationsCame += 1
      return unsafe cancelRequest(params)
    }
    if method == ProgressNotice.method, unsafe progress(params) {
      notificationsCame += 1
      return
    }
    if let kind = StreamMessage.Kind(method: method) { return unsafe streamMessage(kind, params) }
    notificationsCame += 1
    do throws(ErrorObject) {
      var weight = 0
      guard let work = try unsafe accept(nil, method, params, by: handler, weight: &weight) else { return }
      guard queue.beginNotification(limit: Connection.maximumNotifications) else {
        return handler.report(.notificationDropped(method: method), on: self)
      }
      queue.add(AcceptedMessage(id: nil, slot: -1, work: work, weight: weight))
    } catch {
      handler.report(.notificationFailed(method: method, error), on: self)
    }
  }

  /// A request of the peer that is answered with an error counts like a notification: it costs this side a look and a
  /// line of the log, and the peer nothing.
  func refusedCame() { notificationsCame += 1 }

  /// Not isolated, although it runs on the loop: a closure of isolated code asks the runtime where it runs, each time.
  ///
  /// - Parameter weight: what the params take until the work is done, in bytes.
  @unsafe private nonisolated func accept(
    _ id: RequestID?, _ method: String, _ params: UnsafeRawBufferPointer?, by handler: any MessageHandler,
    weight: inout Int
  ) throws(ErrorObject) -> MessageWork? {
    var reading = ParamsReading()
    let meta = unsafe params.flatMap { unsafe MessageMeta.find(in: $0, maximumDepth: configuration.maximumDepth) }
    let work: MessageWork?
    do throws(ErrorObject) {
      work = try unsafe withUnsafeMutablePointer(to: &reading) { reading throws(ErrorObject) in
        let raw = unsafe RawParams(params, maximumDepth: configuration.maximumDepth, reading: reading)
        return try handler.accept(IncomingMessage(id: id, method: method, params: raw, meta: meta), on: self)
      }
    } catch {
      if !reading.wasRead { try unsafe check(params) }
      throw error
    }
    if !reading.wasRead { try unsafe check(params) }
    // Params that were not read take no memory.
    if reading.wasRead { weight = unsafe PeerLedger.weight(bytes: params?.count ?? 0, values: reading.values) }
    guard let work, let meta else { return work }
    return within(meta, id == nil ? nil : meta.meta.progressToken, work)
  }

  /// Wraps work so that it runs with the metadata of its message.
  private nonisolated func within(
    _ meta: CarriedMeta, _ token: RequestID?, _ work: MessageWork
  ) -> MessageWork {
    let reporter = token.map { ProgressReporter(token: $0, connection: self) }
    return MessageWork {
      defer { reporter?.finish() }
      return try await MessageMeta.$carried.withValue(meta) {
        guard let reporter else { return try await work.run() }
        return try await ProgressReporter.$current.withValue(reporter) { try await work.run() }
      }
    }
  }

  /// Checks params that the handler did not read: whether a message is valid must not depend on its handler.
  @unsafe private nonisolated func check(_ params: UnsafeRawBufferPointer?) throws(ErrorObject) {
    guard let params = unsafe params else { return }
    var reader = unsafe JSONReader(params, maximumDepth: configuration.maximumDepth)
    do throws(JSONError) {
      try reader.skip()
      try reader.finish()
    } catch {
      throw .parseError("In the params: \(error)")
    }
  }

  /// Whether it was about a call of this side.
  @unsafe private func progress(_ params: UnsafeRawBufferPointer?) -> Bool {
    guard let params = unsafe params, let notice = try? unsafe JSONCoding.decode(ProgressNotice.self, from: params),
      case .number(let id) = notice.token
    else { return false }
    let now = loop.now
    switch shared.withLock({ $0.calls.progressed(id, to: notice.progress, at: $0.clock.time(at: now)) }) {
    case .tell(let report): report(CallProgress(notice.progress, total: notice.total, message: notice.message))
    case .ignore: break
    case .unknown: return false
    }
    return true
  }

  private struct Cancellation: Decodable {
    var id: RequestID
  }

  @unsafe private func cancelRequest(_ params: UnsafeRawBufferPointer?) {
    guard let params = unsafe params,
      let cancellation = try? unsafe JSONCoding.decode(Cancellation.self, from: params)
    else { return handler.report(.unknownCancellation(nil), on: self) }
    switch queue.cancel(cancellation.id) {
    case .cancel(let task): task.cancel()
    case .noted: break
    case .unknown: handler.report(.unknownCancellation(cancellation.id), on: self)
    }
  }
}

/// Sending answers.
extension Connection {
  nonisolated func answer(_ id: RequestID, _ reply: Reply) {
    switch reply.body {
    case .failure(let error):
      assumeIsolated { $0.refusedCame() }
      send(.failure(id, error, configuration.framing))
    case .empty, .null:
      var writer = OutgoingFrame.writer()
      if case .empty = reply.body { writer.raw("{}") } else { writer.null() }
      send(.result(id, writer, configuration.framing))
    case .encoded(let result):
      guard let frame = result.completed(for: id, configuration.framing) else {
        return send(.failure(id, .internalError("A reply was given twice."), configuration.framing))
      }
      if frame.length > configuration.maximumFrameBytes {
        replace(
          id, .frameTooLarge("The result of \(frame.length) bytes is over \(configuration.maximumFrameBytes)."))
      } else if outgoingBytes + frame.length > configuration.maximumOutgoingBytes + configuration.maximumFrameBytes {
        replace(id, .queueFull("The answers before this one have not been read."))
      } else {
        send(frame)
      }
    }
  }

  private nonisolated func replace(_ id: RequestID, _ error: ErrorObject) {
    assumeIsolated { $0.handler.report(.answerReplaced(id, error), on: $0) }
    send(.failure(id, error, configuration.framing))
  }

  /// Sends a response. Responses are never refused, as every request has one; a peer that makes them pile up is cut.
  nonisolated func send(_ frame: OutgoingFrame) {
    let (step, count) = shared.withLock { ($0.append(frame, true), $0.outbox.count) }
    follow(step)
    if count > configuration.maximumOutgoingBytes + 2 * configuration.maximumFrameBytes {
      shutDown(.outgoingQueueFull(limit: configuration.maximumOutgoingBytes))
    }
  }
}

extension ErrorObject {
  /// What a request is answered with when its handler has thrown.
  init(thrownByHandler error: any Error) {
    switch error {
    case let error as ErrorObject: self = error
    case is CancellationError: self = .cancelled()
    case let error as any ErrorObjectConvertible: self = error.errorObject
    default: self = .handlerFailed("\(error)")
    }
  }
}
