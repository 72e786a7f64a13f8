internal import EventLoop

/// Moves the bytes of one connection. Belongs to the loop's thread.
final class HTTP2Driver {
  private static let chunk = 16 << 10
  private static let outputBytes = 64 << 10

  private let limits: HTTP2Limits
  private let loop: EventLoop
  /// Runs at least as long as the connection.
  private let owner: LoopThread
  private let transport: any ByteTransport
  private let mailbox: HTTP2Mailbox
  private let over: @Sendable () -> Void
  private var session: HTTP2Session?
  private var watch: Watch?
  /// What is being sent.
  private var output: [UInt8] = []
  private var done = 0
  private var timer: (token: TimerToken, time: UInt64)?
  private var begun: UInt64 = 0
  private var lastHeard: UInt64 = 0
  private var lastSent: UInt64 = 0
  private var lastRequest: UInt64 = 0
  private var pinged: UInt64?
  /// Whether the client takes what is sent more slowly than it comes.
  private var isBlocked = false
  private var closedAt: UInt64?
  private var isOver = false

  init(
    limits: HTTP2Limits, loop: LoopThread, transport: any ByteTransport, mailbox: HTTP2Mailbox,
    over: @escaping @Sendable () -> Void
  ) {
    self.limits = limits
    self.loop = loop.loop
    owner = loop
    self.transport = transport
    self.mailbox = mailbox
    self.over = over
  }

  func begin(_ early: [UInt8]) {
    (begun, lastHeard, lastSent, lastRequest) = (loop.now, loop.now, loop.now, loop.now)
    do throws(HTTP2Failure) {
      session = try HTTP2Session(limits: limits, mailbox: mailbox, at: loop.now)
    } catch {
      return end(error)
    }
    do throws(WatchError) {
      watch = try loop.watch(transport.descriptor, for: .reading) { [unowned self] in self.ready($0) }
    } catch {
      return end(HTTP2Failure(.lost, "The system cannot wait for the connection (errno \(error.errno))."))
    }
    if !early.isEmpty { unsafe early.withUnsafeBytes { unsafe session?.receive($0) } }
    read()
    attend()
  }

  /// Looks at what the tasks want.
  func attend() {
    guard let session, !isOver else { return }
    session.now = loop.now
    let news = mailbox.takeNews()
    for stream in news.changed { session.attend(stream) }
    if news.isStopping { shutDown() }
    write()
    settle()
  }

  private func shutDown() {
    if closedAt == nil { closedAt = loop.now }
    session?.shutDown()
  }

  private func ready(_ interest: Interest) {
    session?.now = loop.now
    // A client that reads no answers is not read either.
    if interest.contains(.writing) { write() }
    if interest.contains(.reading), output.isEmpty { read() }
    write()
    settle()
  }

  private func read() {
    var rounds = 0
    // Others have their turn after some rounds; what is left keeps the descriptor ready.
    while rounds < 8, !isOver, let session, !session.isBroken {
      rounds += 1
      let result = unsafe withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 8) { buffer in
        let result = unsafe transport.read(into: buffer)
        if case .bytes(let count) = result {
          unsafe session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return result
      }
      switch result {
      case .bytes(let count):
        lastHeard = loop.now
        pinged = nil
        if !session.entries.isEmpty { lastRequest = loop.now }
        if count < Self.chunk { return }
      case .wait: return
      case .over: return end(HTTP2Failure(.lost, "The client is gone."))
      }
    }
  }

  private func write() {
    while !isOver, let session {
      if output.isEmpty {
        session.write(into: &output, atMost: Self.outputBytes)
        if output.isEmpty { return }
        lastSent = loop.now
      }
      let result = unsafe output.withUnsafeBytes { bytes in
        unsafe transport.write(UnsafeRawBufferPointer(rebasing: bytes[done...]))
      }
      switch result {
      case .wait:
        isBlocked = true
        return
      case .over: return end(HTTP2Failure(.lost, "The client is gone."))
      case .bytes(let count):
        lastSent = loop.now
        done += count
        if done == output.count {
          output.removeAll(keepingCapacity: output.count <= Self.chunk)
          done = 0
          unblock()
        }
      }
    }
  }

  /// The client has taken what waited. Nothing was read meanwhile, so that it has time from now on to answer a ping.
  private func unblock() {
    guard isBlocked else { return }
    isBlocked = false
    lastHeard = loop.now
    if pinged != nil { pinged = loop.now }
  }

  // MARK: The end and the time

  /// Waits for what is of interest now, and until when.
  private func settle() {
    guard let session, let watch, !isOver else { return }
    if output.isEmpty, session.isOver { return end(HTTP2Failure(.lost, "The connection was ended.")) }
    // Handlers that were cancelled have nothing to send, but count.
    if closedAt != nil, output.isEmpty, session.entries.isEmpty {
      return end(HTTP2Failure(.stopping, "The server has stopped."))
    }
    let interest: Interest = output.isEmpty ? .reading : .writing
    if (try? loop.update(watch, to: interest)) == nil {
      return end(HTTP2Failure(.lost, "The system cannot wait for the connection."))
    }
    arm()
  }

  /// When something is to be done if nothing happens until then.
  private var deadline: UInt64 {
    guard let session else { return .max }
    var time = UInt64.max
    func add(_ start: UInt64?, _ limit: Duration) {
      if let start { time = min(time, start &+ limit.wholeNanoseconds) }
    }
    if !session.hasSettings { add(begun, limits.headerLimit) }
    add(session.header?.since, limits.headerLimit)
    if !output.isEmpty { add(lastSent, limits.stallLimit) }
    add(session.oldestWait, limits.stallLimit)
    add(session.oldestAnswer, limits.answeredLimit)
    add(closedAt, limits.closeLimit)
    if session.entries.isEmpty {
      if closedAt == nil { add(lastRequest, limits.idleLimit) }
    } else if !output.isEmpty {
      // Nothing is read before the client has taken that.
    } else if let pinged {
      add(pinged, limits.pongLimit)
    } else {
      add(lastHeard, limits.pingInterval)
    }
    return time
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
    session?.now = loop.now
    if deadline <= loop.now { act(at: loop.now) }
    write()
    settle()
  }

  private func act(at now: UInt64) {
    guard let session else { return }
    func isPast(_ start: UInt64?, _ limit: Duration) -> Bool {
      start.map { $0 &+ limit.wholeNanoseconds <= now } ?? false
    }
    if !session.hasSettings && isPast(begun, limits.headerLimit) || isPast(session.header?.since, limits.headerLimit) {
      return end(HTTP2Failure(.tooSlow, "The client took more than \(limits.headerLimit) for a header."))
    }
    if !output.isEmpty, isPast(lastSent, limits.stallLimit) {
      return end(HTTP2Failure(.tooSlow, "The client took nothing for \(limits.stallLimit)."))
    }
    if isPast(session.oldestWait, limits.stallLimit) {
      session.resetStalled(since: now &- limits.stallLimit.wholeNanoseconds)
    }
    if isPast(session.oldestAnswer, limits.answeredLimit) {
      session.resetAnswered(since: now &- limits.answeredLimit.wholeNanoseconds)
    }
    if isPast(closedAt, limits.closeLimit) { return end(HTTP2Failure(.stopping, "The server has stopped.")) }
    if session.entries.isEmpty {
      if closedAt == nil, isPast(lastRequest, limits.idleLimit) { shutDown() }
    } else if !output.isEmpty {
      return
    } else if let pinged {
      if isPast(pinged, limits.pongLimit) {
        end(HTTP2Failure(.lost, "The client answered no ping for \(limits.pongLimit)."))
      }
    } else if isPast(lastHeard, limits.pingInterval) {
      pinged = now
      session.ping()
    }
  }

  private func end(_ failure: HTTP2Failure) {
    if isOver { return }
    isOver = true
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer.token) }
    timer = nil
    output = []
    session?.endAll(failure)
    transport.close()
    mailbox.finish()
    over()
  }
}

/// A driver on its way through the loop's mail. `@unchecked Sendable`, because: only the loop's thread touches it.
final class HTTP2DriverHolder: @unchecked Sendable {
  let driver: HTTP2Driver
  init(_ driver: HTTP2Driver) { self.driver = driver }
}
