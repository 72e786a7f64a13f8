import JSON
import EventLoop
import Synchronization

extension Connection {
  /// Opens a stream to the peer: for data that is too large for one message, or that comes bit by bit.
  ///
  /// Tell the peer its `id` in the params of a call or in a result; the peer reads it with ``incomingStream(_:)``.
  /// Nothing is sent before the peer reads, and never more than the peer has granted.
  ///
  /// - Throws: -32001 when the connection has ended, -32005 when too many streams are open.
  package nonisolated func openStream() throws(ErrorObject) -> OutgoingStream {
    let opened = streams.withLock { table -> Swift.Result<String, ErrorObject> in
      do throws(ErrorObject) { return .success(try table.open()) } catch { return .failure(error) }
    }
    let id = try opened.get()
    do {
      try post(.stream(.open, id, configuration.framing))
    } catch {
      _ = streams.withLock { $0.finish(id) }
      throw error
    }
    return OutgoingStream(id: id, connection: self)
  }

  /// Returns a stream that the peer has opened or will open.
  ///
  /// - Throws: -32009 when the stream is being read already or has ended, -32001 when the connection has ended.
  package nonisolated func incomingStream(_ id: String) throws(ErrorObject) -> IncomingStream {
    let claimed = streams.withLock { table -> Swift.Result<Int, ErrorObject> in
      do throws(ErrorObject) { return .success(try table.claim(id)) } catch { return .failure(error) }
    }
    grant(id, try claimed.get())
    return IncomingStream(StreamReading(id: id, connection: self))
  }

  /// A message of a stream, in the order of arrival.
  @unsafe func streamMessage(_ kind: StreamMessage.Kind, _ params: UnsafeRawBufferPointer?) {
    let message: StreamMessage
    do throws(JSONError) {
      guard let params = unsafe params else { throw JSONError(.mismatch(expected: "params"), at: 0) }
      message = try unsafe StreamMessage(params, maximumDepth: configuration.maximumDepth)
    } catch {
      notificationsCame += 1
      return handler.report(.notificationFailed(method: kind.method, ErrorObject(decodingParams: error)), on: self)
    }
    let outcome = streams.withLock { $0.received(kind, message) }
    if let event = outcome.event {
      // What keeps to its credit is limited by that; the rest counts like other notifications.
      notificationsCame += 1
      handler.report(event, on: self)
    }
    switch outcome.reply {
    case .grant(let credit): grant(message.streamID, credit)
    case .drop(let error): try? post(.streamEnd(.drop, message.streamID, error, configuration.framing))
    case nil: break
    }
    outcome.resumed?.resume(.changed)
    if kind == .drop { queue.cancelFilling(of: message.streamID) }
  }

  /// Grants credit to the sender of a stream.
  nonisolated func grant(_ id: String, _ credit: Int) {
    guard credit > 0 else { return }
    // A grant that is lost would leave the stream standing: it goes out like an answer, whatever else waits.
    onLoop { connection in
      connection.send(
        .stream(.ack, id, connection.configuration.framing) { writer in
          writer.raw(",\"credit\":")
          writer.integer(credit)
        })
    }
  }

  /// Notifies the other side of the end of a stream, unless the connection has ended.
  nonisolated func endStream(_ kind: StreamMessage.Kind, _ id: String, _ error: ErrorObject?) {
    onLoop { $0.send(.streamEnd(kind, id, error, $0.configuration.framing)) }
  }

  /// Waits until something happens at a stream, at most for the stall time.
  nonisolated func waitForStream(_ endpoint: StreamEndpoint, for bytes: Int = 1) async throws(ErrorObject) {
    let wake = await withTaskCancellationHandler {
      await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<StreamWake, Never>) in
        let waiter = unsafe StreamWaiter(continuation, turnsLeft: Self.streamTurns + 1)
        guard streams.withLock({ $0.wait(endpoint, for: bytes, waiter) }) else { return waiter.resume(.changed) }
        onLoop { $0.startStreamClock() }
        // A cancellation before the waiter was stored found no waiter.
        if Task.isCancelled { wakeStream(endpoint, .cancelled) }
      }
    } onCancel: {
      wakeStream(endpoint, .cancelled)
    }
    switch wake {
    case .changed: return
    case .cancelled: throw .cancelled()
    case .timedOut:
      throw .deadlineExceeded("The stream \(endpoint.id) stood still for \(configuration.streamStall).")
    }
  }

  private nonisolated func wakeStream(_ endpoint: StreamEndpoint, _ wake: StreamWake) {
    streams.withLock { $0.takeWaiter(endpoint) }?.resume(wake)
  }

  /// The number of turns of one coarse clock in the stall time; the clock runs while a task waits.
  private static let streamTurns = 8

  private func startStreamClock() {
    guard timers.streams == nil, !hasClosed else { return }
    let turn = configuration.streamStall / Self.streamTurns
    timers.streams = loop.schedule(after: turn) { [self] in
      assumeIsolated { connection in
        connection.timers.streams = nil
        let (over, goesOn) = connection.streams.withLock { ($0.tick(), $0.hasWaiters) }
        for waiter in over { waiter.resume(.timedOut) }
        if goesOn { connection.startStreamClock() }
      }
    }
  }
}
