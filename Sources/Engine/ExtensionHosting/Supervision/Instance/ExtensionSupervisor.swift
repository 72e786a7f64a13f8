import EventLoop
import ExtensionProtocol
import Files
import JSON
import Time

/// Keeps the instances of one extension and its back-off: asks the health record before a start, looks around while
/// something runs, and remembers what became of it.
actor ExtensionSupervisor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let id: String
  let health: HealthStore
  let statistics: StatisticsStore
  let configuration: ExtensionHost.Configuration
  /// The methods that the host calls, by extension point.
  let calls: CallRules
  /// The instances by number; older ones have lower numbers.
  private var instances: [UInt64: ExtensionInstance] = [:]
  /// What could not be written.
  private struct Unsaved {
    /// The health record with it. It still disables an extension.
    var record: HealthRecord
    /// The changes that are to be written, oldest first: another host may have changed the record meanwhile.
    var changes: [HealthChange] = []
  }

  typealias HealthChange = @Sendable (inout HealthRecord) -> Void

  /// Changes that are kept; of more, the oldest are lost.
  private static let mostUnsaved = 100

  private var unsaved: Unsaved?
  private var isSaving = false
  nonisolated let surroundings: Surroundings
  private var healthStamp: FileStamp?
  /// The statistics of ended processes that are not written yet.
  var uncounted = ExtensionStatistics()
  var isCounting = false
  var lastCount: UInt64 = 0

  /// - Parameter surroundings: the state that the supervisors of a host share; its own by default.
  init(
    id: String, configuration: ExtensionHost.Configuration, calls: CallRules, loop: EventLoop,
    surroundings: Surroundings? = nil
  ) {
    self.id = id
    self.calls = calls
    self.surroundings = surroundings ?? Surroundings(configuration, loop: loop)
    self.configuration = configuration
    self.loop = loop
    health = HealthStore(configuration.state, log: configuration.log)
    statistics = StatisticsStore(configuration.state, log: configuration.log)
  }

  // MARK: Before the start

  /// Looks whether the extension may start, and waits for the end of a back-off that is short.
  ///
  /// - Returns: an instance that is to be launched, and to end with ``ended(_:error:)``.
  /// - Throws: `quarantined` with `until` and `reason`; `storeFailed` when it cannot be told whose its app groups are.
  func admit(
    _ target: LaunchTarget, for purpose: ExtensionInstance.Purpose
  ) async throws(ExtensionError) -> ExtensionInstance {
    let stamp = TargetStamp(target)
    let record = purpose == .foreign ? HealthRecord() : try await permitted(target, stamp)
    // After a wait: what the user allows now.
    let target = try await configuration.permissions.settle(target, in: configuration.registry)
    let instance = ExtensionInstance(target, for: purpose, stamp: stamp, generation: record.generation, of: self)
    instances[instance.number] = instance
    return instance
  }

  /// Asks again before the launch of an instance that was admitted: it may have waited for its turn, and others have failed
  /// meanwhile.
  ///
  /// - Throws: `quarantined`, as ``admit(_:for:)``.
  func checkQuarantine(of instance: ExtensionInstance) async throws(ExtensionError) {
    let verdict = await currentRecord().verdict(now: UnixTime.now.fractionalSeconds, executable: instance.stamp.text)
    if case .quarantined(let quarantine) = verdict { throw .quarantined(instance.identity, quarantine) }
  }

  private func permitted(_ target: LaunchTarget, _ stamp: TargetStamp) async throws(ExtensionError) -> HealthRecord {
    let begin = UnixTime.now.fractionalSeconds
    while true {
      let record = await currentRecord()
      let now = UnixTime.now.fractionalSeconds
      switch record.verdict(now: now, executable: stamp.text) {
      case .free: return record
      case .quarantined(let quarantine): throw .quarantined(target.identity, quarantine)
      case .wait(let until):
        guard until - begin <= configuration.deadlines.backOff.inSeconds else {
          throw .backingOff(target.identity, until: until, record)
        }
        configuration.log.log(
          .warning, "failed lately; waiting before the next start",
          metadata: ["extension.id": .string(id), "seconds": .double(((until - now) * 10).rounded() / 10)])
        do {
          try await loop.sleep(for: .seconds(until - now))
        } catch {
          throw ExtensionError(.cancelled, "The start of \(target.identity.displayName) was cancelled.")
        }
      }
    }
  }

  /// The record, with what could not be written before: that is tried again, so that a reset by another program counts.
  func currentRecord() async -> HealthRecord {
    guard let known = unsaved else { return health.record(of: id) }
    if isSaving { return known.record }
    isSaving = true
    defer { isSaving = false }
    let saved = try? await health.change(id) { record in for change in known.changes { change(&record) } }
    // Others may have failed meanwhile.
    guard let saved else { return unsaved?.record ?? known.record }
    unsaved?.changes.removeFirst(known.changes.count)
    guard let left = unsaved, !left.changes.isEmpty else {
      unsaved = nil
      return saved
    }
    return left.record
  }

  /// Changes the record; in memory, where it cannot be written.
  ///
  /// - Throws: `storeFailed` when it could not be written.
  func changeRecord(_ body: @escaping HealthChange) async throws(ExtensionError) {
    _ = await currentRecord()
    var failure = ExtensionError(.storeFailed, "The health record of \(id) cannot be written.")
    if unsaved == nil {
      do throws(ExtensionError) {
        try await health.change(id, body)
        return
      } catch {
        failure = error
      }
    }
    // With what was changed during the waits.
    var known = unsaved ?? Unsaved(record: health.record(of: id))
    body(&known.record)
    known.changes.append(body)
    if !isSaving { known.changes.removeFirst(max(0, known.changes.count - Self.mostUnsaved)) }
    unsaved = known
    throw failure
  }

  // MARK: While something runs

  /// A process of the extension is there.
  func hasLaunched() {
    // The record may have changed since the instance was admitted: the first look reads it.
    healthStamp = nil
    let round = surroundings.round
    round.assumeIsolated { round in
      round.join(self) { [weak self] in self?.assumeIsolated { $0.lookAround() } }
    }
  }

  /// Bytes of messages of the processes that are there.
  var traffic: (received: Int64, sent: Int64) {
    instances.values.reduce(into: (received: 0, sent: 0)) { sum, instance in
      guard let (received, sent) = instance.assumeIsolated({ $0.process?.traffic }) else { return }
      sum.received = sum.received.countingUp(received)
      sum.sent = sum.sent.countingUp(sent)
    }
  }

  /// Whether none of its processes is there, or is about to be.
  var isEmpty: Bool { instances.isEmpty }

  /// Ends every process of the extension that this host started.
  func stopAll(_ reason: StopReason) {
    for (_, instance) in instances.sorted(by: { $0.key < $1.key }) {
      instance.assumeIsolated { $0.event(.stop(reason)) }
    }
  }

  /// Once a second while something runs: was a restart asked for, is memory short, is there another version?
  private func lookAround() {
    lookAtHealth()
    // Most instances of an extension have the same files.
    var known: (target: LaunchTarget, stamp: TargetStamp)?
    for instance in instances.values {
      instance.assumeIsolated { instance in
        switch instance.state {
        case .suspended, .idle:
          if surroundings.assumeIsolated({ $0.isMemoryShort }) { instance.event(.stop(.memory)) }
        case .running where instance.purpose == .request:
          if known?.target.hasSameFiles(as: instance.target) != true {
            known = (instance.target, TargetStamp(instance.target))
          }
          if known?.stamp != instance.stamp { instance.event(.replaced) }
        default: break
        }
      }
    }
  }

  private func lookAtHealth() {
    if healthStamp != nil, surroundings.assumeIsolated({ $0.isHealthQuiet }) { return }
    let stamp = health.stamp(of: id)
    guard stamp != healthStamp else { return }
    healthStamp = stamp
    let generation = health.record(of: id).generation
    for instance in instances.values where instance.isRecorded && instance.generation < generation {
      instance.assumeIsolated { $0.event(.stop(.host)) }
    }
  }

  /// Nothing is left of an instance.
  func forget(_ instance: ExtensionInstance) {
    instances[instance.number] = nil
    if let (received, sent) = instance.assumeIsolated({ $0.process?.traffic }) {
      surroundings.meter.traffic(received: received, sent: sent)
    }
    instance.assumeIsolated { $0.forget() }
    if instances.isEmpty { surroundings.round.assumeIsolated { $0.leave(self) } }
  }
}
