import EventLoop
import Synchronization

/// What is to be done after something was put into the outgoing queue.
enum WriteStep: Int, Comparable {
  case nothing
  /// Write at the end of the loop's turn, together with what else comes in it.
  case mark
  /// Write the queued bytes now.
  case write

  static func < (left: WriteStep, right: WriteStep) -> Bool { left.rawValue < right.rawValue }
}

extension Connection.Shared {
  mutating func append(_ frame: OutgoingFrame, _ isOnLoop: Bool) -> WriteStep {
    if isOver || closed?.allowsSending == false { return .nothing }
    if let tap { tap.see(.outgoing, FrameTap.text(of: frame, framing)) }
    outbox.append(frame)
    account.set(outbox.count)
    if awaitsWritable { return .nothing }
    if isOnLoop && outbox.count > Outbox.gatherBytes { return .write }
    if isMarked { return .nothing }
    // Another thread writes at once: waking the loop to do it would cost more than the write.
    guard isOnLoop else { return .write }
    isMarked = true
    return .mark
  }

  /// Writes the queued bytes.
  mutating func write(to descriptor: Int32) -> Outbox.Outcome {
    defer { account.set(outbox.count) }
    return outbox.write(to: descriptor)
  }

  /// Nothing is sent any more.
  mutating func dropOutbox() {
    outbox.removeAll()
    account.close()
  }
}

extension Connection: TurnObserver {
  nonisolated func follow(_ step: WriteStep) {
    switch step {
    case .nothing: break
    case .mark: loop.atEndOfTurn(self)
    case .write: flush()
    }
  }

  /// Writes what was queued during the turn of the loop.
  package nonisolated func turnEnded() {
    flush(isTurnEnd: true)
  }

  /// Writes what waits; what the descriptor does not take stays, and the loop waits until it takes more.
  nonisolated func flush(isTurnEnd: Bool = false) {
    let outcome = shared.withLock { shared -> Outbox.Outcome in
      if isTurnEnd { shared.isMarked = false }
      // `isOver` is looked at under the lock that the write happens under: the descriptor is still ours.
      if shared.isOver || shared.awaitsWritable { return .empty }
      let outcome = shared.write(to: output)
      if case .full = outcome { shared.awaitsWritable = true }
      return outcome
    }
    switch outcome {
    case .empty: break
    case .full: onLoop { $0.waitUntilWritable() }
    case .failed(let errno): writingFailed(errno)
    }
  }

  private nonisolated func writingFailed(_ errno: Int32) {
    shared.withLock { $0.dropOutbox() }
    // EPIPE and ECONNRESET: the peer has closed its end, which is no failure of the connection.
    shutDown(errno == 32 || errno == 104 ? .peerClosed : .writeFailed(errno: errno))
    onLoop { $0.resumeDrain() }
  }

  nonisolated func onLoop(_ action: @escaping @Sendable (isolated Connection) -> Void) {
    if loop.isOnLoop {
      assumeIsolated { action($0) }
    } else {
      loop.execute { [self] in assumeIsolated { action($0) } }
    }
  }

  private func waitUntilWritable() {
    guard shared.withLock({ $0.awaitsWritable && !$0.isOver }) else { return }
    timers.progress = loop.now
    watchOutput(true)
    if timers.stall == nil { armStall(after: configuration.writeStall.wholeNanoseconds) }
  }

  private func outputIsWritable() {
    let (outcome, count) = shared.withLock { shared -> (Outbox.Outcome, Int) in
      if shared.isOver { return (.empty, 0) }
      let outcome = shared.write(to: output)
      if case .full = outcome { shared.awaitsWritable = true } else { shared.awaitsWritable = false }
      return (outcome, shared.outbox.count)
    }
    switch outcome {
    case .empty:
      watchOutput(false)
      resumeDrain()
    case .full(let progressed): if progressed { timers.progress = loop.now }
    case .failed(let errno):
      watchOutput(false)
      writingFailed(errno)
    }
    if count < Connection.highWater / 2 { resumeReading() }
  }

  func watchOutput(_ isOn: Bool) {
    do throws(WatchError) {
      if input == output {
        try updateInput(addsWriting: isOn)
      } else if let outputWatch {
        try loop.update(outputWatch, to: isOn ? .writing : [])
      } else if isOn {
        outputWatch = try loop.watch(output, for: .writing) { [self] _ in outputIsWritable() }
      }
    } catch {
      shutDown(.writeFailed(errno: error.errno))
    }
  }

  /// The one watch of a socket that is both input and output.
  func inputReady(_ ready: Interest) {
    if input == output, ready.contains(.writing) { outputIsWritable() }
    if ready.contains(.reading), !hasClosed { readable() }
  }

  private func armStall(after nanoseconds: UInt64) {
    timers.stall = loop.schedule(at: loop.now &+ nanoseconds) { [self] in assumeIsolated { $0.stallIsDue() } }
  }

  private func stallIsDue() {
    timers.stall = nil
    guard shared.withLock({ $0.awaitsWritable && !$0.isOver }) else { return }
    let limit = configuration.writeStall.wholeNanoseconds
    let quiet = loop.now &- timers.progress
    if quiet < limit { return armStall(after: limit - quiet) }
    shared.withLock { $0.dropOutbox() }
    shutDown(.writeStalled(configuration.writeStall))
    resumeDrain()
  }

  func resumeDrain() { drainWaiter.resume() }
}
