import EventLoop
import ExtensionHosting
import Glibc
import Sandbox

/// One confined program from its start to its end: passes the three streams on through pipes, hears what the launcher
/// says, and ends everything when it is cancelled. The program never holds a descriptor of the terminal.
actor ConfinedRun {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let process: SandboxedProcess
  /// Ends it at a ceiling of the point.
  private let resources: ResourceWatch
  private var limit: ExitReason?
  /// Standard input, output and error, by their numbers.
  private var relays: [StreamRelay]
  private var isInputOpen = true
  private var decoder = LaunchStatusDecoder()
  private var statuses: [LaunchStatus] = []
  private var watches: [Int32: Watch] = [:]
  private var isLifelineOpen = true
  private var wasStopped = false
  private var launcher: ExtensionExit?
  private var waiter: CheckedContinuation<Void, Never>?

  /// From the end of the lifeline to the end by force.
  private static let grace = Duration.seconds(2)

  /// - Parameters:
  ///   - process: just spawned; every descriptor of it is closed in the end.
  ///   - output: where its standard output goes, nil to keep it for the outcome.
  ///   - resources: on the same loop.
  init(
    _ process: SandboxedProcess, output: StreamRelay.Target, errors: StreamRelay.Target, resources: ResourceWatch,
    loop: EventLoop
  ) {
    self.process = process
    self.resources = resources
    self.loop = loop
    relays = [
      StreamRelay(from: STDIN_FILENO, to: .descriptor(process.standardInput)),
      StreamRelay(from: process.standardOutput, to: output), StreamRelay(from: process.standardError, to: errors),
    ]
  }

  /// Waits for the end of the program, of its streams and of the whole sandbox.
  ///
  /// - Throws: `WatchError` when the kernel refuses to watch; the sandbox is gone then.
  func outcome(tier: SandboxTier) async throws -> ConfinedOutcome {
    let start = loop.now
    defer { release() }
    try watch(process.standardOutput, for: .reading) { $0.turn(1) }
    try watch(process.standardError, for: .reading) { $0.turn(2) }
    try watch(process.control, for: .reading) { $0.readStatus() }
    try watch(process.pidfd, for: .reading) { $0.reap() }
    // A terminal in the background, a closed descriptor: the program then finds an empty input.
    do { try watch(STDIN_FILENO, for: .reading) { $0.turn(0) } } catch { endInput() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if launcher != nil && hasDrained { return continuation.resume() }
        waiter = continuation
      }
    } onCancel: {
      loop.execute { self.assumeIsolated { $0.stop() } }
    }
    let seconds = Double(loop.now - start) / 1e9
    return ConfinedOutcome(
      end: end, tier: tier, seconds: seconds, output: relays[1].captured, errors: relays[2].captured)
  }

  private var end: ConfinedOutcome.End {
    if let limit { return .limited(limit) }
    return switch statuses.last {
    case .launchFailed(let failure): .refused(failure)
    case .ended(.exited(let code)): .exited(code)
    case .ended(.signalled(let number)): .signalled(number)
    default: wasStopped ? .stopped : .lost
    }
  }

  private var hasDrained: Bool { relays[1].hasEnded && relays[2].hasEnded }

  private func watch(
    _ descriptor: Int32, for interest: Interest, _ action: @escaping @Sendable (isolated ConfinedRun) -> Void
  ) throws(WatchError) {
    watches[descriptor] = try loop.watch(descriptor, for: interest) { [self] _ in assumeIsolated { action($0) } }
  }

  private func unwatch(_ descriptor: Int32) {
    if let watch = watches.removeValue(forKey: descriptor) { loop.unwatch(watch) }
  }

  // MARK: Streams

  /// One step of a stream: writes what was kept back, else reads.
  private func turn(_ stream: Int) {
    relays[stream].step()
    guard stream != 0 || !relays[0].hasEnded else { return endInput() }
    follow(relays[stream]) { $0.turn(stream) }
    finishIfDone()
  }

  /// Waits for what the relay waits for, and for nothing else.
  private func follow(_ relay: StreamRelay, _ again: @escaping @Sendable (isolated ConfinedRun) -> Void) {
    let waitsForTarget = relay.pendingDescriptor != nil
    if let target = relay.pendingDescriptor, watches[target] == nil {
      try? watch(target, for: .writing, again)
    } else if !waitsForTarget, let target = relay.targetDescriptor {
      unwatch(target)
    }
    if relay.hasEnded || waitsForTarget {
      unwatch(relay.source)
    } else if watches[relay.source] == nil {
      try? watch(relay.source, for: .reading, again)
    }
  }

  private func endInput() {
    guard isInputOpen else { return }
    isInputOpen = false
    unwatch(STDIN_FILENO)
    unwatch(process.standardInput)
    close(process.standardInput)
  }

  // MARK: The end

  private func readStatus() {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(process.control, &bytes, bytes.count)
    if count > 0, let more = try? decoder.decode(bytes[..<count]) {
      statuses += more
      if more.contains(.executed) { watchResources() }
    } else if count >= 0 || (errno != EAGAIN && errno != EINTR) {
      unwatch(process.control)
    }
  }

  private func reap() {
    guard launcher == nil else { return }
    let exit: ExtensionExit
    do {
      guard let known = try process.reap() else { return }
      exit = known
    } catch {
      exit = .lost
    }
    unwatch(process.pidfd)
    while watches[process.control] != nil, DescriptorRead.hasBytes(process.control) { readStatus() }
    launcher = exit
    resources.assumeIsolated { $0.stop() }
    finishIfDone()
  }

  private func finishIfDone() {
    guard launcher != nil, hasDrained else { return }
    waiter?.resume()
    waiter = nil
  }

  private func watchResources() {
    resources.assumeIsolated { watch in
      watch.start(process.pid) { [weak self] reason in
        self?.assumeIsolated { run in
          run.limit = reason
          run.stop()
        }
      }
    }
  }

  private func stop() {
    guard launcher == nil, isLifelineOpen else { return }
    wasStopped = true
    isLifelineOpen = false
    process.cutLifeline()
    _ = loop.schedule(after: Self.grace) { [self] in
      assumeIsolated { if $0.launcher == nil { try? $0.process.signal(SIGKILL) } }
    }
  }

  private func release() {
    resources.assumeIsolated { $0.stop() }
    for watch in watches.values { loop.unwatch(watch) }
    watches = [:]
    endInput()
    for descriptor in [process.standardOutput, process.standardError, process.control, process.pidfd] {
      close(descriptor)
    }
  }
}
