internal import EventLoop
internal import Text

/// Moves the bytes of one connection. Belongs to the loop's thread.
final class WebSocketDriver {
  private enum Phase {
    case open
    /// Our close is sent, or waits behind what is to be sent; the peer's is waited for.
    case closing(WebSocketError)
    /// The peer has closed, or broken a rule; our close is being sent. Nothing is read but the end.
    case leaving(WebSocketError)
    case over
  }

  /// Control frames may wait besides the queue's budget, up to so many bytes: a peer that pings and reads nothing gets no
  /// more answers.
  private static let controlBytes = 4096

  private let role: WebSocketRole
  private let limits: WebSocketLimits
  private let loop: EventLoop
  /// Runs at least as long as the connection.
  private let owner: LoopThread
  private let transport: any ByteTransport
  private let mailbox: WebSocketMailbox
  private let over: @Sendable () -> Void
  private var parser: WebSocketParser
  private var watch: Watch?
  private var phase = Phase.open

  /// What is being sent. Each piece stays where it is in memory until it is sent, which TLS asks for.
  private var pieces: [(bytes: [UInt8], isCounted: Bool)] = []
  private var done = 0
  private var controlBytes = 0
  private var isWriting = false
  /// Enough messages wait for their receiver.
  private var isPaused = false
  private var isReadingAgain = false

  private var timer: (token: TimerToken, time: UInt64)?
  private var lastHeard: UInt64 = 0
  private var lastSent: UInt64 = 0
  private var lastMessage: UInt64 = 0
  private var pinged: UInt64?
  private var closedAt: UInt64 = 0

  init(
    role: WebSocketRole, limits: WebSocketLimits, loop: LoopThread, transport: any ByteTransport,
    mailbox: WebSocketMailbox, over: @escaping @Sendable () -> Void
  ) {
    self.role = role
    self.limits = limits
    self.loop = loop.loop
    owner = loop
    self.transport = transport
    self.mailbox = mailbox
    self.over = over
    parser = WebSocketParser(reading: role == .server ? .client : .server, limits: limits)
  }

  func begin(_ early: [UInt8]) {
    (lastHeard, lastSent, lastMessage) = (loop.now, loop.now, loop.now)
    do throws(WatchError) {
      watch = try loop.watch(transport.descriptor, for: .reading) { [unowned self] in self.ready($0) }
    } catch {
      return end(WebSocketError(.lost, "The system cannot wait for the connection (errno \(error.errno))."))
    }
    parser.append(early)
    parse()
    // TLS may hold bytes that the descriptor does not show.
    read()
    attend()
  }

  /// Looks at what the tasks want.
  func attend() {
    if case .over = phase { return }
    takeNews()
    if isPaused, !mailbox.pausesReading() {
      isPaused = false
      lastHeard = loop.now
      parse()
      read()
    }
    write()
    settle()
  }

  private func takeNews() {
    let news = mailbox.takeNews()
    guard case .open = phase else { return }
    if !news.frames.isEmpty { lastMessage = loop.now }
    for frame in news.frames { add(frame, isCounted: true) }
    if let wish = news.closeWish {
      let message = "The WebSocket was closed here, with code \(wish.code)."
      beginClose(code: wish.code, reason: wish.reason)
      phase = .closing(WebSocketError(.closed, code: wish.code, message))
    }
  }

  private func ready(_ interest: Interest) {
    if interest.contains(.reading) { read() }
    if interest.contains(.writing) { write() }
    settle()
  }

  // MARK: Reading

  private func read() {
    var rounds = 0
    // Others have their turn after some rounds; what is left keeps the descriptor ready, but for what TLS holds.
    while !isPaused || isLeaving, rounds < 64 {
      if case .over = phase { return }
      rounds += 1
      let result = unsafe withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
        let result = unsafe transport.read(into: buffer)
        if case .bytes(let count) = result, !isLeaving { unsafe parser.append(buffer[..<count]) }
        return result
      }
      switch result {
      case .bytes:
        lastHeard = loop.now
        pinged = nil
        parse()
      case .wait: return
      case .over: return peerIsGone()
      }
    }
    if !isPaused || isLeaving { readInNextTurn() }
  }

  private func readInNextTurn() {
    if isReadingAgain { return }
    isReadingAgain = true
    let holder = DriverHolder(self)
    loop.execute { holder.driver.readAgain() }
  }

  private func readAgain() {
    isReadingAgain = false
    read()
    settle()
  }

  private var isLeaving: Bool {
    if case .leaving = phase { true } else { false }
  }

  private func parse() {
    do throws(WebSocketFault) {
      while !isLeaving, !isPaused, let message = try parser.next() {
        take(message)
        if mailbox.pausesReading() { isPaused = true }
      }
    } catch {
      guard case .open = phase else { return end(WebSocketError(.fault, code: error.code, error.message)) }
      beginClose(code: error.code, reason: error.message)
      phase = .leaving(WebSocketError(.fault, code: error.code, error.message))
    }
  }

  private func take(_ message: WebSocketMessage) {
    switch message {
    case .text, .binary:
      lastMessage = loop.now
      mailbox.deliver(message)
    case .ping(let bytes):
      if case .open = phase, controlBytes < Self.controlBytes { addControl(.pong(bytes)) }
    case .pong: break
    case .close(let code, let reason): peerCloses(code ?? WebSocketCode.none, reason)
    }
  }

  private func peerCloses(_ code: UInt16, _ reason: String) {
    switch phase {
    case .open:
      let said = reason.isEmpty ? "" : ": \(reason.shownInMessage(limit: 123))"
      let error = WebSocketError(.closed, code: code, "The peer closed the WebSocket with code \(code)\(said).")
      beginClose(code: code == WebSocketCode.none ? nil : code, reason: "")
      phase = .leaving(error)
    // Both have closed.
    case .closing(let error): phase = .leaving(error)
    case .leaving, .over: break
    }
  }

  private func peerIsGone() {
    switch phase {
    case .leaving(let error):
      // It may have ended its own direction only, and still wants to know why.
      if !isWriting { write() }
      end(error)
    case .closing, .open: end(WebSocketError(.lost, "The peer ended the connection without closing the WebSocket."))
    case .over: break
    }
  }

  // MARK: Writing

  private func beginClose(code: UInt16?, reason: String) {
    closedAt = loop.now
    addControl(.close(code: code, reason: reason))
  }

  private func addControl(_ message: WebSocketMessage) {
    let frame = WebSocketMailbox.frame(message, as: role)
    controlBytes += frame.count
    add(frame, isCounted: false)
  }

  private func add(_ frame: [UInt8], isCounted: Bool) {
    if pieces.isEmpty { lastSent = loop.now }
    pieces.append((frame, isCounted))
  }

  private func write() {
    isWriting = true
    defer { isWriting = false }
    while let (bytes, isCounted) = pieces.first {
      let start = done
      let result = unsafe bytes.withUnsafeBytes { bytes in
        unsafe transport.write(UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + 16 << 10)]))
      }
      switch result {
      case .wait: return
      case .over: return peerIsGone()
      case .bytes(let count):
        lastSent = loop.now
        done += count
        if done == bytes.count {
          pieces.removeFirst()
          done = 0
        }
        if !isCounted {
          controlBytes -= count
        } else if mailbox.sent(count) {
          takeNews()
        }
      }
    }
  }

  // MARK: The end and the time

  /// Waits for what is of interest now, and until when.
  private func settle() {
    switch phase {
    case .over: return
    // The server ends the connection first (RFC 6455, 7.1.1); after a fault the peer does, or its time is over, since
    // what it has sent would else take our close away from it.
    case .leaving(let error) where pieces.isEmpty && error.kind == .closed: return end(error)
    default: break
    }
    guard let watch else { return }
    var interest: Interest = isPaused && !isLeaving ? [] : .reading
    if !pieces.isEmpty { interest.insert(.writing) }
    if (try? loop.update(watch, to: interest)) == nil {
      return end(WebSocketError(.lost, "The system cannot wait for the connection."))
    }
    arm()
  }

  /// When something is to be done if nothing happens until then.
  private var deadline: UInt64 {
    var times: [UInt64] = []
    if !pieces.isEmpty { times.append(lastSent &+ limits.stallLimit.wholeNanoseconds) }
    switch phase {
    case .closing, .leaving: times.append(closedAt &+ limits.closeLimit.wholeNanoseconds)
    default:
      if let idle = limits.idleLimit { times.append(lastMessage &+ idle.wholeNanoseconds) }
      if isPaused { break }
      if let pinged {
        times.append(pinged &+ limits.pongLimit.wholeNanoseconds)
      } else {
        times.append(lastHeard &+ limits.pingInterval.wholeNanoseconds)
      }
    }
    return times.min() ?? loop.now &+ Duration.seconds(60).wholeNanoseconds
  }

  private func arm() {
    let time = deadline
    if let timer {
      if timer.time <= time { return }
      loop.cancel(timer.token)
    }
    // It holds the driver no longer than the watch does: both are let go at the end.
    timer = (loop.schedule(at: time) { [unowned self] in self.timePassed() }, time)
  }

  private func timePassed() {
    timer = nil
    let now = loop.now
    if deadline <= now { act(at: now) }
    write()
    settle()
  }

  private func act(at now: UInt64) {
    if !pieces.isEmpty, lastSent &+ limits.stallLimit.wholeNanoseconds <= now {
      return end(WebSocketError(.tooSlow, "The peer took nothing for \(limits.stallLimit)."))
    }
    switch phase {
    case .leaving(let error), .closing(let error): return end(error)
    case .over: return
    case .open: break
    }
    if let idle = limits.idleLimit, lastMessage &+ idle.wholeNanoseconds <= now {
      beginClose(code: WebSocketCode.goingAway, reason: "No message came for \(idle).")
      phase = .closing(
        WebSocketError(.closed, code: WebSocketCode.goingAway, "The WebSocket was closed: no message for \(idle)."))
    } else if pinged != nil {
      end(WebSocketError(.lost, "The peer answered no ping for \(limits.pongLimit)."))
    } else {
      pinged = now
      addControl(.ping([]))
    }
  }

  private func end(_ error: WebSocketError) {
    if case .over = phase { return }
    phase = .over
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer.token) }
    timer = nil
    pieces = []
    transport.close()
    mailbox.finish(error)
    over()
  }
}

/// A driver on its way through the loop's mail. `@unchecked Sendable`, because: only the loop's thread touches it.
final class DriverHolder: @unchecked Sendable {
  let driver: WebSocketDriver
  init(_ driver: WebSocketDriver) { self.driver = driver }
}
