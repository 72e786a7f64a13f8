import EventLoop
import ExtensionProtocol
import Files

/// The state that the supervisors of one host share: whether memory is short, and whether another program changed a
/// health record. The actor runs on the host's loop.
actor Surroundings {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Counts the host's events.
  nonisolated let meter = HostMeter()

  /// Comes by at every supervisor whose extension runs.
  nonisolated let round: Round

  /// Processes of extensions that are there.
  private(set) var processes = 0
  private let ends: Waiters
  /// The streams that end with the host.
  private(set) var hostEnds: Set<AsyncStream<Void>.Continuation> = []
  private var hasEnded = false

  private let folder: String
  private let pressure: @Sendable () -> Bool
  private let pace: UInt64
  private var looked: UInt64?
  private var isPressed = false
  private var stamp: FileStamp?
  private var wasQuiet = false
  private var isQuiet = false

  init(_ configuration: ExtensionHost.Configuration, loop: EventLoop) {
    self.loop = loop
    round = Round(every: configuration.deadlines.look, on: loop)
    ends = Waiters(on: loop)
    folder = "\(configuration.state.path)/health"
    pressure = configuration.warm.isMemoryShort
    pace = configuration.deadlines.look.wholeNanoseconds / 2
  }

  /// Whether memory is short.
  var isMemoryShort: Bool {
    look()
    return isPressed
  }

  /// Whether no health record has changed, so that none need be looked at.
  ///
  /// A record is replaced by renaming, which changes the folder. Two changes within a tick of the kernel's clock look the
  /// same, so the round after one that saw a change looks again.
  var isHealthQuiet: Bool {
    look()
    return isQuiet && wasQuiet
  }

  // MARK: Processes

  /// A process of an extension is there.
  func began() { processes += 1 }

  /// Nothing is left of one.
  func ended() {
    processes -= 1
    ends.wake()
  }

  /// Waits until no process is there, for some time at most.
  func allProcessesEnd(within limit: Duration) async { await ends.wait(atMost: limit) { processes == 0 } }

  // MARK: The end of the host

  /// The host was shut down.
  func shut() {
    hasEnded = true
    for continuation in hostEnds { continuation.finish() }
    hostEnds = []
  }

  /// Waits until the host was shut down, or the task is cancelled.
  ///
  /// - Returns: whether it was shut down.
  @discardableResult
  func isShut() async -> Bool {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    if hasEnded { return true }
    hostEnds.insert(continuation)
    defer { hostEnds.remove(continuation) }
    for await _ in stream {}
    return hasEnded
  }

  private func look() {
    if let looked, loop.now &- looked < pace { return }
    looked = loop.now
    isPressed = pressure()
    let now = FileStamp(folder)
    wasQuiet = isQuiet
    isQuiet = now != nil && now == stamp
    stamp = now
  }
}
