internal import EventLoop
internal import HTTPClient
internal import Synchronization

/// An active task: the state that the runner, the attempt and the client's thread share.
final class LiveTransfer: Sendable {
  private struct State {
    var machine: TransferMachine
    var progress = HTTPProgress()
    /// The number of bytes before this attempt, at which the progress begins.
    var offset: Int64 = 0
    var file: OpenFile?
    var isFinishing = false
    var refusal: TransferFailure?
    var isStopped = false
    /// The record that the journal stored last.
    var told: TransferRecord?
  }

  let session: SessionRecord
  let server: String
  private let state: Mutex<State>
  private let stopped = Signal()

  init(_ record: TransferRecord, of session: SessionRecord, server: String) {
    self.session = session
    self.server = server
    state = Mutex(State(machine: TransferMachine(record)))
  }

  func change<Value: Sendable>(_ body: (inout TransferMachine) -> Value) -> Value {
    state.withLock { body(&$0.machine) }
  }

  /// The task, with the bytes that have moved up to now.
  var record: TransferRecord { state.withLock { Self.advanced(&$0) } }

  private static func advanced(_ state: inout State) -> TransferRecord {
    let isUpload = state.machine.record.kind == .upload
    if isUpload || state.file != nil, !state.isFinishing {
      state.machine.advance(to: state.offset + (isUpload ? state.progress.sent : state.progress.received))
    }
    return state.machine.record
  }

  /// An exchange begins, whose bytes count from `offset` on.
  func begin(_ progress: HTTPProgress, offset: Int64, file: OpenFile?) {
    state.withLock {
      $0.progress = progress
      $0.offset = offset
      $0.file = file
    }
  }

  /// Marks the file as complete: from now on the attempt itself updates the journal.
  func finish() { state.withLock { $0.isFinishing = true } }

  /// Returns the changed record for the journal, and the file to sync when many bytes have arrived since the last sync.
  func checkpoint() -> (record: TransferRecord, file: OpenFile?)? {
    state.withLock { state in
      guard !state.isFinishing, !state.isStopped else { return nil }
      let record = Self.advanced(&state)
      guard record.state == .running, record != state.told else { return nil }
      state.told = record
      let isLarge = (record.part.map { $0.bytes - $0.durableBytes } ?? 0) >= 64 << 20
      return (record, isLarge ? state.file : nil)
    }
  }

  func isDurable(upTo bytes: Int64) {
    state.withLock { $0.machine.isDurable(upTo: bytes) }
  }

  // MARK: Stopping

  var refusal: TransferFailure? { state.withLock { $0.refusal } }
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Stops the attempt because the task has ended, or with a refusal because it is no longer permitted.
  func stop(_ refusal: TransferFailure? = nil) {
    state.withLock {
      $0.isStopped = true
      if $0.refusal == nil { $0.refusal = refusal }
    }
    stopped.send()
  }

  /// Runs an exchange, which is cancelled by ``stop(_:)``.
  func untilStopped(_ operation: @escaping @Sendable () async -> HTTPFileOutcome) async -> HTTPFileOutcome {
    await withTaskGroup(of: HTTPFileOutcome?.self) { group in
      group.addTask { await operation() }
      group.addTask { [stopped] in
        while !self.isStopped {
          do { try await stopped.wait(past: 0) } catch { break }
        }
        return nil
      }
      var outcome: HTTPFileOutcome?
      while let next = await group.next() {
        if let next { outcome = next }
        group.cancelAll()
      }
      return outcome ?? HTTPFileOutcome(response: nil, end: .refused)
    }
  }
}
