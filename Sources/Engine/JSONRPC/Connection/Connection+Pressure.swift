import EventLoop
import Synchronization

/// Time limits of reading, and back-pressure.
extension Connection {
  /// Notes when the message at hand began.
  func noteProgress(_ completed: Bool) {
    guard decoder.isPartial else {
      timers.partialSince = nil
      return
    }
    if completed || timers.partialSince == nil { timers.partialSince = loop.now }
    if timers.partial == nil { armPartial(after: configuration.partialMessage.wholeNanoseconds) }
  }

  private func armPartial(after nanoseconds: UInt64) {
    timers.partial = loop.schedule(at: loop.now &+ nanoseconds) { [self] in assumeIsolated { $0.partialIsDue() } }
  }

  private func partialIsDue() {
    timers.partial = nil
    guard let since = timers.partialSince, closeReason == nil else { return }
    let limit = configuration.partialMessage.wholeNanoseconds
    let age = loop.now &- since
    // While this side does not read, the peer is not to blame.
    if isPaused || isResting { return armPartial(after: limit) }
    if age < limit { return armPartial(after: limit - age) }
    shutDown(.partialMessage(configuration.partialMessage))
  }

  /// Returns whether to stop reading, because too many bytes wait for a peer that sends more requests. While calls of
  /// this side wait for answers the connection keeps reading: the peer may be unable to read before it has written.
  func shouldPause() -> Bool {
    let mark = pauseMark
    return shared.withLock { $0.outbox.count > mark && $0.calls.isEmpty }
  }

  func pauseReading() {
    guard !isPaused else { return }
    isPaused = true
    startReading()
    armPause()
  }

  /// Two sides that both stopped reading would wait for each other: one that makes no progress reads a little more, as
  /// far as the outgoing queue allows.
  private func armPause() {
    let before = timers.progress
    timers.pause = loop.schedule(after: .milliseconds(250)) { [self] in
      assumeIsolated { connection in
        connection.timers.pause = nil
        guard connection.isPaused else { return }
        if connection.timers.progress != before { return connection.armPause() }
        let mark = connection.outgoingBytes + Connection.highWater
        guard mark <= connection.configuration.maximumOutgoingBytes else { return connection.armPause() }
        connection.pauseMark = mark
        connection.isPaused = false
        connection.readAgain()
      }
    }
  }

  /// A peer that sends too many notifications is read no faster than it may send: what it sends waits on its side.
  func meterNotifications() {
    let count = notificationsCame
    notificationsCame = 0
    switch meter?.came(count, at: loop.now) {
    case .proceed, nil: break
    case .flood:
      if let limit = configuration.notifications { shutDown(.notificationFlood(limit)) }
    case .rest(let nanoseconds):
      isResting = true
      startReading()
      timers.rest = loop.schedule(at: loop.now &+ nanoseconds) { [self] in
        assumeIsolated { connection in
          connection.timers.rest = nil
          connection.isResting = false
          connection.readAgain()
        }
      }
    }
  }

  /// The peer's process is gone: what it left is read at once, whatever it is, since nothing more follows.
  package func peerHasExited() {
    meter = nil
    if let timer = timers.rest { loop.cancel(timer) }
    timers.rest = nil
    isResting = false
    isPaused = false
    pauseMark = .max
    startReading()
  }

  func resumeReading() {
    if pauseMark < .max { pauseMark = Connection.highWater }
    guard isPaused else { return }
    isPaused = false
    readAgain()
  }

  /// Goes on reading. A message that was begun has its whole time from now on: meanwhile its peer was not to blame.
  private func readAgain() {
    if timers.partialSince != nil { timers.partialSince = loop.now }
    startReading()
  }
}
