import EventLoop
import ExtensionProtocol
import JSONRPC
import Synchronization

/// The permissions of one running extension: tells it what changes, and then enforces it.
///
/// A change is noticed when the record's folder reports one, and with each call that needs a permission.
final class CallerPermissions: Sendable {
  private struct Call {
    var permissions: [String]
    /// Finished when one of the permissions is taken away.
    var revoked: AsyncStream<String>.Continuation
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
  private let news: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init(_ authority: PermissionAuthority, of process: ExtensionProcess) {
    self.authority = authority
    self.process = process
    initial = process.instance.target.permissions
    // The record is read anew: what was decided since the start is a change.
    state = Mutex(State(told: initial))
    (news, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Why a call may not be made now; `nil` when it may.
  func refusal(_ method: String, _ permissions: [String]) -> ExtensionError? {
    refresh()
    for name in permissions {
      let state = self.state.withLock { $0.told[name] } ?? .denied
      if state != .granted { return .missing(name, state, method: method, by: process.identity) }
    }
    return nil
  }

  /// Runs the work of a call, which ends at once when one of its permissions is taken away.
  func whileGranted<Value: Sendable>(
    _ permissions: [String], _ method: String, on loop: EventLoop, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (taken, continuation) = AsyncStream.makeStream(of: String.self)
    let id = state.withLock { state in
      state.lastCall += 1
      state.calls[state.lastCall] = Call(permissions: permissions, revoked: continuation)
      return state.lastCall
    }
    defer { state.withLock { $0.calls[id] = nil } }
    return try await interruptibly(by: taken, on: loop, work) { [self] name in
      guard let name else { return CancellationError() }
      let state = state.withLock { $0.told[name] } ?? .denied
      return ExtensionError.missing(name, state, method: method, by: process.identity)
    }
  }

  /// Tells the extension what has changed in the record, and ends the calls that may no longer run.
  func refresh() {
    if authority.isAnswering(process.caller, { [signal] in signal.yield() }) { return }
    let reading = authority.store.reading()
    let changes = state.withLock { state -> [(String, PermissionState)] in
      guard !state.isOver, state.generation != reading.generation else { return [] }
      state.generation = reading.generation
      let new = authority.states(for: process.identity, in: reading.record)
      let changes = new.filter { state.told[$0.key] != $0.value }.sorted { $0.key < $1.key }
      state.told = new
      return changes.map { ($0.key, $0.value) }
    }
    for (name, new) in changes {
      try? process.connection.post(PermissionsDidChange.method, PermissionsDidChange(name: name, state: new))
    }
    for (name, new) in changes where new != .granted {
      let calls = state.withLock { $0.calls.values.filter { $0.permissions.contains(name) } }
      for call in calls { call.revoked.yield(name) }
      let kind = PermissionKind.named(name)
      if kind?.isEnforcedBySandbox == true, initial[name] == .granted {
        state.withLock { $0.withdrawn = $0.withdrawn ?? name }
        signal.yield()
      }
    }
  }

  /// Follows the record until the process ends. A permission that the sandbox enforces cannot be taken from a running
  /// process: the process is ended.
  ///
  /// - Parameter end: ends the process.
  func follow(on loop: EventLoop, end: () async -> Void) async {
    guard !process.identity.permissions.isEmpty else { return }
    // Where the kernel has no more watches, changes are noticed when somebody looks.
    let watch = PathWatch(on: loop) { [signal] in signal.yield() }
    watch?.follow([authority.store.state.path], for: .entries)
    defer { watch?.stop() }
    // What was decided between the handshake's words and the watch.
    signal.yield()
    for await _ in news {
      refresh()
      guard state.withLock({ $0.withdrawn != nil && !$0.isOver }) else { continue }
      await end()
      return
    }
  }

  /// The host is done with the process.
  func stop() {
    state.withLock { $0.isOver = true }
    signal.finish()
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
