import JSON
import EventLoop
import ExtensionProtocol
import Synchronization
import Time

/// Stores the health and the statistics of ended processes.
extension ExtensionSupervisor {
  /// Handles the end of a process, or of an attempt to start it.
  ///
  /// - Parameters:
  ///   - error: the error that ended its scope, if there was one.
  ///   - isLaunch: whether the error is the launcher's instead of one from the wire.
  func ended(_ instance: ExtensionInstance, error: (any Error)?, isLaunch: Bool = false) async {
    let state = await instance.state
    let process = await instance.process
    if state == .terminated(.exited) { await process?.noteExit() }
    forget(instance)
    if instance.isRecorded { await remember(instance, state, error, isLaunch: isLaunch, process) }
    await instance.leave()
  }

  private func remember(
    _ instance: ExtensionInstance, _ state: LifecycleStateMachine.State, _ error: (any Error)?, isLaunch: Bool,
    _ process: ExtensionProcess?
  ) async {
    var statistics = process?.recorder.take() ?? ExtensionStatistics()
    if let use = await process?.monitor?.use {
      statistics.runs = [ExtensionStatistics.Run(use, ended: UnixTime.now.fractionalSeconds)]
    }
    let failure = Self.failure(
      of: instance, state, error, isLaunch: isLaunch, isOverfull: await instance.leftover != nil)
    if let failure, failure.kind != .exception {
      statistics.failures += 1
      surroundings.meter.failure(of: id, failure.kind)
    }
    uncounted.add(statistics)
    let executable = instance.stamp.text
    do {
      if let failure {
        try await changeRecord { $0.failed(failure, executable: executable) }
      } else if error == nil, case let known = await currentRecord(), known.needsSuccess {
        let now = UnixTime.now.fractionalSeconds
        try await changeRecord { $0.succeeded(now: now, executable: executable, ifStill: known) }
      }
      try await count()
    } catch {
      configuration.log.log(
        .warning, "health is not kept", metadata: ["extension.id": .string(id), "why": .string(error.message)])
    }
  }

  /// Writes down what was counted of the extension, once a second while others run, and when none does: many that end at
  /// once write one file. What cannot be written is kept for the next end.
  private func count() async throws(ExtensionError) {
    guard !isCounting else { return }
    isCounting = true
    defer { isCounting = false }
    while uncounted != ExtensionStatistics(), isEmpty || loop.time &- lastCount >= 1_000_000_000 {
      lastCount = loop.time
      let counted = uncounted
      uncounted = ExtensionStatistics()
      do throws(ExtensionError) {
        try await statistics.add(counted, to: id)
      } catch {
        let later = uncounted
        uncounted = counted
        uncounted.add(later)
        throw error
      }
    }
  }

  /// The files of a process that runs were replaced by what cannot even be launched.
  func rolledBack(to version: String, because error: ExtensionError) async {
    var failure = HealthRecord.Failure(launch: error, version: nil)
    failure.message += " Version \(version) stays in use."
    _ = try? await health.change(id) { $0.failed(failure, executable: $0.executable) }
  }

  /// What is remembered of a process that has ended: what went wrong, else what one of its handlers threw.
  private static func failure(
    of instance: ExtensionInstance, _ state: LifecycleStateMachine.State, _ error: (any Error)?, isLaunch: Bool,
    isOverfull: Bool
  ) -> HealthRecord.Failure? {
    found(of: instance, state, error, isLaunch: isLaunch, isOverfull: isOverfull)
      ?? instance.exception.withLock { $0 }
  }

  /// A run that ended without an error and by the host's own will is no failure, whatever was seen on the way, but for
  /// answers that are wrong, and for more on the disk than is allowed: who calls may make do with less, and yet nothing is
  /// well then. That of a kept process has no error of its own: what its requests saw counts.
  private static func found(
    of instance: ExtensionInstance, _ state: LifecycleStateMachine.State, _ error: (any Error)?, isLaunch: Bool,
    isOverfull: Bool
  ) -> HealthRecord.Failure? {
    let identity = instance.identity
    var failure = instance.failure.withLock { $0 }
    switch state {
    case .terminated(.exited), .incompatible, .terminated(.killed): break
    case .terminated(.notStarted):
      if failure == nil, isLaunch, let error = error as? ExtensionError, error.isFailedLaunch {
        failure = HealthRecord.Failure(launch: error, version: identity.version)
      }
    default: if error == nil, !instance.isKept, !isOverfull, failure?.kind != .protocolViolation { return nil }
    }
    if case .terminated(.killed(.hung)) = state, failure == nil {
      failure = HealthRecord.Failure(
        time: UnixTime.now.fractionalSeconds, kind: .hung,
        message: "\(identity.displayName) was ended by force: \(KillReason.hung.description).")
      failure?.version = identity.version
    }
    if case .keeping(let version?) = instance.purpose, let known = failure {
      failure?.message = "\(known.message) Version \(version) stays in use."
    }
    return failure
  }
}

extension ExtensionStatistics.Run {
  fileprivate init(_ use: ProcessUse, ended: Double) {
    self.init(
      ended: ended, peakMemory: Int64(clamping: use.peakMemory),
      processorTime: Int64(clamping: use.processorTime.wholeNanoseconds / 1_000))
  }
}

extension HealthRecord {
  /// Whether a success changes anything.
  var needsSuccess: Bool { consecutive > 0 || isFailing }

  /// A run ended well when the record was `known`. Where another has failed since, that counts on.
  mutating func succeeded(now: Double, executable: String?, ifStill known: HealthRecord) {
    if failures.last == known.failures.last { succeeded(now: now, executable: executable) }
  }
}

extension ExtensionError {
  /// Whether the launcher's error says something of the extension, and not only of the machine.
  fileprivate var isFailedLaunch: Bool { code == .launchFailed || code == .extensionInvalid }
}

extension HealthRecord.Failure {
  /// A launch that failed, as the launcher or the registry says it; no process was there that could have said anything.
  init(launch error: ExtensionError, version: String?) {
    self.init(time: UnixTime.now.fractionalSeconds, kind: .launchFailed, message: error.message)
    recovery = error.recovery
    self.version = version
    if case .string(let code) = error.details["sandbox"] { stage = code }
  }
}

extension ExtensionError {
  static func quarantined(_ identity: Caller.Identity, _ quarantine: HealthRecord.Quarantine) -> ExtensionError {
    ExtensionError(
      .quarantined, "\(identity.displayName) is disabled. \(quarantine.reason)",
      recovery: "See ExtensionHost.health(of:); when the extension is corrected, call ExtensionHost.reset(_:).",
      details: [
        "extension": .string(identity.id), "reason": .string(quarantine.reason), "until": .null,
        "since": .double(quarantine.since),
      ])
  }

  static func backingOff(_ identity: Caller.Identity, until: Double, _ record: HealthRecord) -> ExtensionError {
    let reason = record.lastFailure?.message ?? "It failed."
    return ExtensionError(
      .quarantined,
      "\(identity.displayName) failed \(record.consecutive) times in a row and may not start yet. \(reason)",
      recovery: "Try again in some seconds, or call ExtensionHost.reset(_:).",
      details: ["extension": .string(identity.id), "reason": .string(reason), "until": .double(until)])
  }
}

extension Duration {
  /// Seconds, as a fraction.
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
