import EventLoop
import ExtensionProtocol
import Files
import Glibc
import JSON
import JSONRPC
import Sandbox

/// Watches one process from its start: drains its standard error, reads the launcher's records, and learns when and how
/// it ends.
actor ProcessMonitor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let process: SandboxedProcess
  private let id: String
  private let log: any LogSink
  private var ring = StandardErrorRing()
  private var decoder = LaunchStatusDecoder()
  private var told: ExitReason?
  private var stopReason: ExitReason?
  private var resources: ResourceWatch?
  /// What the process has used, once it has ended; `nil` when it was never measured.
  private(set) var use: ProcessUse?
  /// The memory of the kept standard error, counted against the extension's limit.
  private let hold: LedgerHold?
  private var whenGone: @Sendable () -> Void = {}
  private var isInputClosed = false
  private var isLifelineCut = false
  private var isReleased = false
  private var ended: ExitReason?
  /// The tasks that wait for the end of the process or of a stream.
  private let ends: Waiters
  private var watches: [Int32: Watch] = [:]

  /// Bytes of standard error that are forwarded to the log; what comes after is counted only.
  private static let forwardLimit = 1 << 20

  /// - Parameters:
  ///   - resources: the measurement, started with the extension's image; `nil` measures nothing.
  ///   - ledger: counts the memory that the host keeps for the extension.
  init(
    _ process: SandboxedProcess, id: String, loop: EventLoop, log: any LogSink, resources: ResourceWatch? = nil,
    ledger: PeerLedger? = nil
  ) {
    hold = ledger.map { LedgerHold(on: $0) }
    self.process = process
    self.resources = resources
    self.id = id
    self.loop = loop
    self.log = log
    ends = Waiters(on: loop)
  }

  /// The processor time that the open request, or the one before, had used when the process was last measured; `nil` when
  /// there was none.
  var requestCPU: Duration? { resources.flatMap { watch in watch.assumeIsolated { $0.requestCPU } } }

  /// The last lines of standard error; safe to print.
  var standardError: [String] { ring.lines }

  /// Takes what has been written to standard error so far: it may have been written before an answer, and be read after it.
  func catchUp() {
    // A process that writes without end is not read without end.
    for _ in 0..<16 {
      guard watches[process.standardError] != nil, DescriptorRead.hasBytes(process.standardError) else { return }
      readStandardError()
    }
  }

  /// Begins to watch.
  ///
  /// - Parameter whenGone: is called on the loop when the process has ended.
  /// - Throws: `launchFailed` when the kernel refuses to. The process is the caller's then, and is not watched.
  func start(whenGone: @escaping @Sendable () -> Void = {}) throws(ExtensionError) {
    self.whenGone = whenGone
    do {
      try watch(process.standardError) { $0.readStandardError() }
      if process.control >= 0 { try watch(process.control) { $0.readStatus() } }
      try watch(process.pidfd) { $0.reap() }
      if process.control < 0 { watchResources() }
    } catch {
      for descriptor in watches.keys { unwatch(descriptor) }
      throw ExtensionError(.launchFailed, "Cannot watch the process of \(id): \(SystemError(error.errno)).")
    }
  }

  /// Waits for the end of the process.
  ///
  /// - Returns: why it ended, or `unknown` when it has not within the limit.
  func exit(within limit: Duration) async -> ExitReason {
    await ends.wait(atMost: limit) { ended != nil }
    return ended ?? .unknown
  }

  /// Waits until the other end of standard error is closed: the launcher can end a moment before the processes that the
  /// kernel kills with it.
  func streamsEnd(within limit: Duration) async {
    await ends.wait(atMost: limit) { watches[process.standardError] == nil }
  }

  /// Kills the process with everything that it started: closing the lifeline makes the launcher end the sandbox and
  /// wait until nothing is left. The first reason is kept.
  func kill(_ reason: ExitReason) {
    guard ended == nil else { return }
    stopReason = stopReason ?? reason
    if process.control < 0 || isLifelineCut { return killAtOnce() }
    process.cutLifeline()
    isLifelineCut = true
  }

  /// Ends it as ``kill(_:)`` does and waits until it has ended, for some seconds at most.
  func end(byForce reason: ExitReason) async {
    kill(reason)
    if await exit(within: .seconds(3)) == .unknown {
      killAtOnce()
      _ = await exit(within: .seconds(3))
    }
  }

  /// Ends a launcher that does not end by itself; the kernel ends the rest.
  private func killAtOnce() {
    if ended == nil { try? process.signal(SIGKILL) }
  }

  /// Measures once more, before the process is asked to end.
  func lookLast() { resources?.assumeIsolated { $0.lookLast() } }

  /// Closes the extension's standard input.
  func closeStandardInput() {
    if !isInputClosed { close(process.standardInput) }
    isInputClosed = true
  }

  /// Closes every descriptor. The process has ended; one that has not, in spite of everything, is reaped when it does.
  func release() {
    isReleased = true
    whenGone = {}
    stopWatchingResources()
    for descriptor in watches.keys where descriptor != process.pidfd { unwatch(descriptor) }
    closeStandardInput()
    for descriptor in [process.standardOutput, process.standardError, process.control] where descriptor >= 0 {
      close(descriptor)
    }
    if watches[process.pidfd] == nil { close(process.pidfd) }
  }

  private func watch(
    _ descriptor: Int32, _ action: @escaping @Sendable (isolated ProcessMonitor) -> Void
  ) throws(WatchError) {
    watches[descriptor] = try loop.watch(descriptor, for: .reading) { [self] _ in assumeIsolated { action($0) } }
  }

  private func unwatch(_ descriptor: Int32) {
    if let watch = watches.removeValue(forKey: descriptor) { loop.unwatch(watch) }
  }

  private func readStandardError() {
    let descriptor = process.standardError
    switch DescriptorRead.once(descriptor) {
    case .bytes(let bytes):
      let forward = ring.byteCount < Self.forwardLimit
      let lines = ring.append(bytes, at: loop.now)
      hold?.set(ring.size)
      if forward { for line in lines { forwardLine(line) } }
    case .wouldBlock: break
    case .end:
      for line in ring.finish() { forwardLine(line) }
      unwatch(descriptor)
      ends.wake()
    }
  }

  private func forwardLine(_ line: [UInt8]) {
    guard !(log is NoLog) else { return }
    let text = StandardErrorRing.text(line)
    log.log(
      LogEntry(.info, "stderr", metadata: ["extension.id": .string(id), "line": .string(text)], label: .extension))
  }

  private func readStatus() {
    switch DescriptorRead.once(process.control) {
    case .bytes(let bytes):
      do {
        for status in try decoder.decode(bytes) { take(status) }
      } catch {
        unwatch(process.control)
      }
    case .wouldBlock: break
    case .end: unwatch(process.control)
    }
  }

  private func take(_ status: LaunchStatus) {
    switch status {
    case .launchFailed(let failure):
      told = .launchFailed(stage: "\(failure.stage)", errno: failure.errorNumber)
    case .executed: watchResources()
    case .ended(.exited(let code)): told = .exited(code)
    case .ended(.signalled(let number)): told = .crashed(number)
    case .ended(.lost): told = .sandboxEnded
    }
  }

  /// Handles the end of the launcher: its last records are in the pipes, and no more will come.
  private func reap() {
    guard ended == nil else { return }
    let launcher: (exit: ExtensionExit, peakMemory: UInt64)?
    do {
      launcher = try process.reapWithPeak()
      if launcher == nil { return }
    } catch {
      // Another part of this program waits for every child, or has the kernel forget them: how it ended is lost.
      launcher = nil
    }
    unwatch(process.pidfd)
    if isReleased { close(process.pidfd) }
    while watches[process.control] != nil, DescriptorRead.hasBytes(process.control) { readStatus() }
    while watches[process.standardError] != nil, DescriptorRead.hasBytes(process.standardError) {
      readStandardError()
    }
    let reason = stopReason ?? told ?? launcher.map { Self.reason($0.exit) } ?? .unknown
    ended = resources?.assumeIsolated { $0.explain(reason, peakMemory: launcher?.peakMemory ?? 0) } ?? reason
    if let ended { note(ended) }
    stopWatchingResources()
    ends.wake()
    whenGone()
    whenGone = {}
  }

  private func watchResources() {
    resources?.assumeIsolated { watch in
      watch.start(process.pid) { [weak self] reason in self?.assumeIsolated { $0.kill(reason) } }
    }
  }

  private func stopWatchingResources() {
    use = resources?.assumeIsolated { $0.use } ?? use
    resources?.assumeIsolated { $0.stop() }
    resources = nil
  }

  /// Logs an end for an exceeded limit, even when no caller waits for the extension.
  private func note(_ reason: ExitReason) {
    guard reason.isLimit else { return }
    let details = reason.details.map { ("exit.\($0.key)", $0.value) }
    let metadata = Dictionary(details, uniquingKeysWith: { first, _ in first })
    log.log(.warning, "ended at a limit", metadata: metadata.merging(["extension.id": .string(id)]) { _, id in id })
  }

  /// Returns the process's own exit reason, when the launcher reported none.
  private static func reason(_ exit: ExtensionExit) -> ExitReason {
    switch exit {
    case .exited(let code): .exited(code)
    case .signalled(let number): .crashed(number)
    case .lost: .sandboxEnded
    }
  }
}

/// One read of a descriptor that does not block.
package enum DescriptorRead {
  case bytes([UInt8])
  case wouldBlock
  case end

  static func once(_ descriptor: Int32) -> DescriptorRead {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = read(descriptor, &bytes, bytes.count)
    if count > 0 {
      bytes.removeLast(bytes.count - count)
      return .bytes(bytes)
    }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .wouldBlock : .end
  }

  /// Whether a read would return something now, the end of the stream aside.
  package static func hasBytes(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLIN) != 0
  }
}
