import JSON
import CLinux
import EventLoop
import Synchronization

extension Connection {
  func startReading() {
    do throws(WatchError) {
      try updateInput(addsWriting: shared.withLock { $0.awaitsWritable } && input == output)
    } catch {
      shutDown(.readFailed(errno: error.errno))
    }
  }

  func updateInput(addsWriting: Bool) throws(WatchError) {
    // No empty literal: that one is made through the tables of the runtime, in every start of an extension.
    var interest: Interest = isPaused || isResting || hasClosed || !hasRun ? Interest(rawValue: 0) : .reading
    if addsWriting { interest.insert(.writing) }
    if let inputWatch {
      try loop.update(inputWatch, to: interest)
    } else if !interest.isEmpty {
      // Isolated like this method, without a question to the runtime: the loop calls it on its own thread only.
      inputWatch = try loop.watch(input, for: interest) { [self] in inputReady($0) }
    }
  }

  func readable() {
    if shouldPause() { return pauseReading() }
    let count = unsafe readOnce()
    if count == -11 { return unsafe putBufferAway() }
    if count < 0 {
      // ECONNRESET: the peer is gone.
      return shutDown(count == -104 ? .peerClosed : .readFailed(errno: Int32(-count)))
    }
    if count == 0 { return shutDown(.peerClosed) }
    took(count)
    readMore()
    do throws(FramingError) {
      noteProgress(try takeMessages())
    } catch {
      shutDown(.protocolViolation(error))
    }
    unsafe putBufferAway()
    inputAccount.set(decoder.capacity)
    if notificationsCame > 0 { meterNotifications() }
    resumeRun()
  }

  /// Reads the rest of a large message, as far as the pipe holds it: a turn of the loop for each pipeful would cost as
  /// much as reading it. A failure or the end of the stream is found at the next turn.
  private func readMore() {
    var rounds = 0
    while rounds < 16, decoder.missing >= 4096 {
      let count = unsafe readOnce()
      if count <= 0 { return }
      took(count)
      rounds += 1
    }
  }

  private func took(_ count: Int) {
    decoder.received(count)
    bytesReceived &+= UInt64(count)
  }

  @unsafe private func readOnce() -> Int {
    if decoder.capacity == 0 { unsafe decoder.adopt(loop.takeSpare()) }
    let free = unsafe decoder.prepare()
    return unsafe clinux_read(input, free.baseAddress, free.count)
  }

  /// Most connections wait most of the time: the next one that reads on this loop takes the buffer.
  @unsafe private func putBufferAway() { if let spare = unsafe decoder.putAway() { unsafe loop.giveSpare(spare) } }

  /// Whether a whole message was there.
  private func takeMessages() throws(FramingError) -> Bool {
    var completed = false
    while !hasClosed {
      switch try decoder.next() {
      case .incomplete: return completed
      case .noise(let noise): self.noise(noise)
      case .frame(let range): received(range)
      }
      completed = true
    }
    return completed
  }

  /// Bytes that are no message: a program's prints on a channel, or the broken JSON of a peer that waits for an answer.
  private func noise(_ noise: Noise) {
    handler.report(.noise(noise), on: self)
    guard configuration.malformed == .reply else { return }
    guard anonymousErrors.takes(at: loop.now) else { return }
    let shown = noise.beginning.prefix { $0 != "\n" && $0 != "\r\n" }
    send(.failure(nil, .parseError("\"\(shown)\" is not a JSON-RPC message."), configuration.framing))
  }

  private func received(_ range: Range<Int>) {
    let bytes = unsafe decoder.bytes(range)
    if let tap = configuration.tap { unsafe tap.see(.incoming, [UInt8](bytes)) }
    let envelope: Envelope
    do throws(JSONError) {
      envelope = try unsafe Envelope.parse(bytes, maximumDepth: configuration.maximumDepth)
    } catch {
      unsafe failCall(answeredBy: bytes, error)
      return malformed(.malformed(error), .parseError("\(error)"), id: nil, expectsAnswer: true)
    }
    switch envelope {
    case .request(let id, let method, let params): unsafe request(id, method, part(params, of: bytes))
    case .notification(let method, let params): unsafe notification(method, part(params, of: bytes))
    case .result(let id, let result):
      answered(id) {
        if range.count > Connection.detachedFrom { return .detached(decoder.detach(range, on: ledger), result) }
        return .copied(unsafe [UInt8](UnsafeRawBufferPointer(rebasing: bytes[result])))
      }
    case .failure(let id, let failure):
      let answer = unsafe answeredError(UnsafeRawBufferPointer(rebasing: bytes[failure]))
      guard let id else { return handler.report(.anonymousError(answer.object), on: self) }
      answered(id) { .failure(answer) }
    case .invalid(let id, let reason, let expectsAnswer):
      malformed(.invalid(reason), .invalidRequest(reason), id: id, expectsAnswer: expectsAnswer)
    }
  }

  /// Fails the call that a broken answer belongs to, so that its caller does not wait for the deadline.
  @unsafe private func failCall(answeredBy bytes: UnsafeRawBufferPointer, _ error: JSONError) {
    guard let id = unsafe Envelope.idAnswered(byBroken: bytes, maximumDepth: configuration.maximumDepth),
      shared.withLock({ $0.calls.isWaiting(id) })
    else { return }
    answered(id) { .failure(.misanswered(.protocolViolation("The answer is not JSON: \(error)"))) }
  }

  @unsafe private func part(_ range: Range<Int>?, of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let range else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  private func malformed(_ event: WireEvent, _ error: ErrorObject, id: RequestID?, expectsAnswer: Bool) {
    handler.report(event, on: self)
    if expectsAnswer {
      refusedCame()
      guard id != nil || anonymousErrors.takes(at: loop.now) else { return }
      send(.failure(id, error, configuration.framing))
    }
  }

  @unsafe private func answeredError(_ bytes: UnsafeRawBufferPointer) -> CallFailure {
    do {
      let error = try unsafe JSONCoding.decode(
        ErrorObject.self, from: bytes, maximumDepth: configuration.maximumDepth)
      return .answered(error)
    } catch {
      return .misanswered(.protocolViolation("The peer answered with an error that is none: \(error)"))
    }
  }

  private func answered(_ id: RequestID, _ answer: () -> CallAnswer) {
    switch shared.withLock({ $0.calls.answered(id) }) {
    case .resolve(let waiter, let isCancelled):
      let answer = isCancelled ? CallAnswer.failure(.found(.cancelled())) : answer()
      waiter.resume(answer)
    case .late: handler.report(.lateResponse(id), on: self)
    case .duplicate: handler.report(.duplicateResponse(id), on: self)
    case .unknown: handler.report(.unknownResponse(id), on: self)
    }
  }
}
