import EventLoop
import ExtensionProtocol
import JSON
import Synchronization

/// The permissions of one running extension. Notifies the extension of changes and enforces them.
///
/// A change is noticed when the folder of the record reports one, and with each call that needs a permission.
final class CallerPermissions: Sendable {
  private struct Call {
    let permissions: [String]
    let canceller = TaskCanceller()
    /// The permission that was taken away meanwhile.
    var revoked: String?
  }

  private struct State {
    var generation: UInt64?
    /// What the extension knows.
    var told: [String: PermissionState] = [:]
    var calls: [UInt64: Call] = [:]
    var lastCall: UInt64 = 0
    /// The permission that the sandbox enforced and that was taken away.
    var withdrawn: String?
    var isOver = false
  }

  /// What the handshake says: what held when the process was started.
  let initial: [String: PermissionState]
  private let authority: PermissionAuthority
  private let process: ExtensionProcess
  private let state: Mutex<State>
  private let follower: PermissionFollower
  private var loop: EventLoop { process.connection.loop }

  init(_ authority: PermissionAuthority, of process: ExtensionProcess) {
    self.authority = authority
    self.process = process
    initial = process.instance.target.permissions
    // The record is read anew: what was decided since the start is a change.
    state = Mutex(State(told: initial))
    follower = PermissionFollower(on: process.connection.loop)
  }

  /// Why a call may not be made now; `nil` when it may.
  func refusal(_ method: String, _ permissions: [String]) -> ExtensionError? {
    // A decision holds before the extension has the answer to the question, of which it learns it.
    let isTold = refresh()
    let held = isTold ? state.withLock { $0.told } : states(in: authority.reading())
    for name in permissions {
      let state = held[name] ?? .denied
      if state != .granted { return .missing(name, state, method: method, by: process.identity) }
    }
    return nil
  }

  /// Whether the user is asked, now, for something that a call needs.
  func isAskedFor(_ permissions: [String]) -> Bool {
    permissions.contains { authority.isAskedFor($0, for: process.identity) }
  }

  /// Asks the user for what a call needs, once for each permission and process.
  ///
  /// - Throws: `storeFailed` when an answer cannot be kept.
  func ask(_ permissions: [String]) async throws(ExtensionError) {
    for name in permissions where authority.isAskedFor(name, for: process.identity) {
      defer { authority.answered(process.caller) }
      _ = try await authority.request(name, reason: "", for: process.caller)
    }
  }

  /// Runs the work of a call as part of the current task, and cancels it when one of the call's permissions is revoked.
  ///
  /// - Throws: the error of the work; `permissionDenied` when a permission is not granted, and after one was revoked,
  ///   whatever the result of the work.
  func whileGranted<Value: Sendable>(
    _ permissions: [String], _ method: String, _ work: () async throws -> Value
  ) async throws -> Value {
    let call = Call(permissions: permissions)
    return try await call.canceller.during {
      let id = state.withLock { state in
        state.lastCall += 1
        state.calls[state.lastCall] = call
        return state.lastCall
      }
      let result: Result<Value, any Error>
      do {
        // It may have been taken away since somebody asked, before the call was noted here.
        if let refusal = refusal(method, permissions) { throw refusal }
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      let taken = state.withLock { state in
        state.calls.removeValue(forKey: id)?.revoked.map { ($0, state.told[$0] ?? .denied) }
      }
      if let (name, now) = taken { throw ExtensionError.missing(name, now, method: method, by: process.identity) }
      return try result.get()
    }
  }

  /// Notifies the extension of changes in the record, and ends the calls that are no longer allowed. On the loop's
  /// thread.
  ///
  /// - Returns: false while the answer to a question is on its way, which tells the extension what has changed.
  @discardableResult
  func refresh() -> Bool {
    if authority.isAnswering(process.caller, { [weak self] in self?.lookSoon() }) { return false }
    let reading = authority.reading()
    let changes = state.withLock { state -> [(String, PermissionState)] in
      guard !state.isOver, state.generation != reading.generation else { return [] }
      state.generation = reading.generation
      let new = states(in: reading)
      let changes = new.filter { state.told[$0.key] != $0.value }.sorted { $0.key < $1.key }
      state.told = new
      return changes.map { ($0.key, $0.value) }
    }
    for (name, new) in changes {
      try? process.connection.post(PermissionsDidChange.method, PermissionsDidChange(name: name, state: new))
    }
    for (name, new) in changes where new != .granted {
      let cancellers = state.withLock { state in
        state.calls.filter { $0.value.permissions.contains(name) && $0.value.revoked == nil }.map { id, call in
          state.calls[id]?.revoked = name
          return call.canceller
        }
      }
      for canceller in cancellers { canceller.cancel() }
      let kind = PermissionKind.named(name)
      if kind?.isEnforcedBySandbox == true, initial[name] == .granted {
        state.withLock { $0.withdrawn = $0.withdrawn ?? name }
        lookSoon()
      }
    }
    return true
  }

  private func states(in reading: PermissionStore.Reading) -> [String: PermissionState] {
    authority.states(for: process.identity, in: reading.record, instance: process.caller.instance)
  }

  /// Whether the extension has permissions that a user may give and take.
  var mayChange: Bool { !process.identity.permissions.isEmpty }

  /// Follows the record until the process ends, where the permissions ``mayChange``. A permission that the sandbox enforces
  /// cannot be taken from a running process: the process is ended. On the loop's thread.
  ///
  /// - Parameter end: ends the process; called on the loop's thread, once.
  func follow(end: @escaping @Sendable () -> Void) {
    guard state.withLock({ !$0.isOver }) else { return }
    // When the kernel has no more watches, changes are noticed at the next call.
    follower.assumeIsolated { $0.begin(authority.store.state.path, { [weak self] in self?.look() }, end: end) }
    // What was decided between the handshake's words and the watch.
    look()
  }

  private func lookSoon() { loop.execute { [weak self] in self?.look() } }

  private func look() {
    guard follower.assumeIsolated({ $0.end != nil }) else { return }
    refresh()
    guard state.withLock({ $0.withdrawn != nil && !$0.isOver }) else { return }
    follower.assumeIsolated { $0.stop() }?()
  }

  /// The host is done with the process.
  func stop() {
    state.withLock { $0.isOver = true }
    let stop: @Sendable () -> Void = { [follower] in _ = follower.assumeIsolated { $0.stop() } }
    if loop.isOnLoop { stop() } else { loop.execute(stop) }
    authority.forget(process.caller)
  }

  /// The error of what the host did with a process that was ended because a permission was taken away; `nil` when it was
  /// not.
  var withdrawal: ExtensionError? {
    guard let name = state.withLock({ $0.withdrawn }) else { return nil }
    return ExtensionError(
      .permissionDenied,
      "\(process.identity.displayName) was ended: the permission “\(name)” was taken away while it ran.",
      recovery: "Run it again: what needs the permission is refused then.",
      details: [
        "permission": .string(name), "state": .string(PermissionState.denied.rawValue),
        "extension": .string(process.identity.id),
      ])
  }
}

/// What looks after the record for one process, on the loop. No task waits for it: of a thousand, each has some kibibytes.
private actor PermissionFollower {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private var watch: PathWatch?
  /// Ends the process; `nil` when nobody follows.
  private(set) var end: (@Sendable () -> Void)?

  init(on loop: EventLoop) { self.loop = loop }

  func begin(_ folder: String, _ changed: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) {
    self.end = end
    watch = PathWatch(on: loop, changed: changed)
    watch?.follow([folder], for: .entries)
  }

  /// - Returns: what ends the process, unless it was stopped before.
  func stop() -> (@Sendable () -> Void)? {
    watch?.stop()
    watch = nil
    return end.take()
  }
}
