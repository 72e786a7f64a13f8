public import ExtensionProtocol
import JSON
import Synchronization
import Time

/// Knows what users allow extensions, from the state directory's record and from the host's configuration.
///
/// Brokers ask it for every call that needs a permission. Several hosts share a record: a decision in one of them, or by
/// `host permissions`, holds in all.
public final class PermissionAuthority: Sendable {
  private struct Asked: Hashable {
    /// What was asked for, and by which extension.
    struct Kind: Hashable {
      var id: String
      var name: String
    }

    var instance: UInt64
    var name: String
  }

  /// A grant of this host alone, which nobody else knows.
  private struct Passing {
    /// The parts that were agreed to.
    var scope: Set<String>
    /// The run of the extension that it ends with; `nil` when it ends with the host.
    var instance: UInt64?
  }

  private struct PassingGrants {
    /// Of each kind the host's own, and one for each run that has another.
    var all: [Asked.Kind: [Passing]] = [:]
    /// Rises with each change.
    var generation: UInt64 = 0
  }

  let store: PermissionStore
  let claims: GroupClaims
  private let consent: Consent
  /// The questions that were asked in each process: one for each permission.
  private let asked = Mutex<Set<Asked>>([])
  private let passing = Mutex(PassingGrants())
  /// The questions that are open, each with the calls that wait for the answer.
  private let open = Mutex<[Asked: [CheckedContinuation<Void, Never>]]>([:])
  /// The callers whose question the user has answered and the host has not, by number, each with the observer to call
  /// after the host's answer.
  private let unanswered = Mutex<[UInt64: (@Sendable () -> Void)?]>([:])

  /// Creates an authority.
  ///
  /// - Parameters:
  ///   - state: the state directory with `permissions.json` and `groups.json`.
  ///   - consent: the decision where a user has not decided.
  ///   - log: receives a warning for each record that cannot be read.
  public init(state: StateDirectory, consent: Consent = .ask(nil), log: any LogSink = NoLog()) {
    store = PermissionStore(state: state, log: log)
    claims = GroupClaims(state: state, log: log)
    self.consent = consent
  }

  /// What holds for a permission: `denied` when the manifest does not ask for it.
  public func state(of name: String, for identity: Caller.Identity) -> PermissionState {
    guard let asked = identity.permissions.first(where: { $0.name == name }) else { return .denied }
    return state(of: asked, for: identity.id, in: store.reading().record)
  }

  /// What holds for something that the manifest of an extension asks for.
  public func state(of asked: AskedPermission, for id: String) -> PermissionState {
    state(of: asked, for: id, in: store.reading().record)
  }

  /// What holds for everything that a manifest asks for, by name.
  public func states(for identity: Caller.Identity) -> [String: PermissionState] {
    states(for: identity, in: store.reading().record)
  }

  /// - Parameter instance: the process that asks; what is granted to one run holds for it alone.
  func states(
    for identity: Caller.Identity, in record: PermissionRecord, instance: UInt64? = nil
  ) -> [String: PermissionState] {
    Dictionary(
      identity.permissions.map { ($0.name, state(of: $0, for: identity.id, in: record, instance: instance)) },
      uniquingKeysWith: { first, _ in first })
  }

  private func state(
    of asked: AskedPermission, for id: String, in record: PermissionRecord, instance: UInt64? = nil
  ) -> PermissionState {
    let kept = record.state(of: asked, for: id)
    guard kept == .undecided else { return kept }
    let (grants, scope) = (passing.withLock { $0.all[Asked.Kind(id: id, name: asked.name)] ?? [] }, Set(asked.scope))
    let isGranted = grants.contains { grant in
      (grant.instance == nil || grant.instance == instance) && scope.isSubset(of: grant.scope)
    }
    return isGranted ? .granted : consent.presumption
  }

  /// Keeps a user's decision. `undecided` forgets it.
  ///
  /// - Throws: `storeFailed`; then the old decision holds.
  public func decide(
    _ permission: AskedPermission, _ state: PermissionState, for id: String
  ) async throws(ExtensionError) {
    let time = UnixTime.now.fractionalSeconds
    pass(permission, nil, for: id)
    try await store.change { $0.decide(permission, state, for: id, at: time) }
  }

  /// Remembers a grant of this host alone, beside those of other runs; `nil` forgets all of them.
  private func pass(_ permission: AskedPermission, _ grant: Passing?, for id: String) {
    passing.withLock { passing in
      let kind = Asked.Kind(id: id, name: permission.name)
      guard grant != nil || passing.all[kind] != nil else { return }
      let others = passing.all[kind]?.filter { $0.instance != grant?.instance } ?? []
      passing.all[kind] = grant.map { others + [$0] }
      passing.generation &+= 1
    }
  }

  /// Whether a grant ends with this host, or with a run of the extension.
  package func isPassing(_ name: String, for id: String) -> Bool {
    passing.withLock { $0.all[Asked.Kind(id: id, name: name)] != nil }
  }

  /// What is kept, and a number that changes with each decision, kept or not.
  func reading() -> PermissionStore.Reading {
    var reading = store.reading()
    reading.generation &+= passing.withLock { $0.generation } << 32
    return reading
  }

  /// The permissions that a user has decided about, for an extension that may no longer be there.
  public func decided(for id: String) -> [String] { store.reading().record.decided(for: id) }

  /// An extension wants a permission: what holds, else what the user says now. A user is asked once for each permission
  /// and process.
  ///
  /// A call that comes while the question is open waits for its answer.
  ///
  /// - Returns: `undecided` when the user was asked before, did not answer, or cannot be asked.
  /// - Throws: `invalidParams` when there is no such permission, `permissionDenied` when the manifest does not ask for it,
  ///   `storeFailed` when the answer cannot be kept.
  public func request(
    _ name: String, reason: String, for caller: Caller
  ) async throws(ExtensionError) -> PermissionState {
    guard let kind = PermissionKind.named(name) else {
      throw ExtensionError(
        .invalidParams, "There is no permission “\(name)”.",
        recovery: "The permissions are: \(PermissionKind.all.map(\.name).joined(separator: ", ")).")
    }
    let identity = caller.identity
    guard let permission = identity.permissions.first(where: { $0.name == name }) else {
      throw .notAsked(for: kind, by: identity)
    }
    func current() -> PermissionState {
      state(of: permission, for: identity.id, in: store.reading().record, instance: caller.instance)
    }
    let before = current()
    guard before == .undecided, case .ask(let ask?) = consent else { return before }
    let key = Asked(instance: caller.instance, name: name)
    let isFirst = asked.withLock { asked in
      guard asked.insert(key).inserted else { return false }
      // Before anybody can see that the question was asked.
      open.withLock { $0[key] = [] }
      return true
    }
    guard isFirst else {
      await untilAnswered(key)
      return current()
    }
    defer { for waiting in open.withLock({ $0.removeValue(forKey: key) }) ?? [] { waiting.resume() } }
    let question = PermissionQuestion(
      caller: identity, permission: kind, scope: permission.scope, reason: PermissionQuestion.shown(reason))
    switch await caller.process.whileUserIsAsked({ await ask(question) }) {
    case .granted: try await answer(permission, .granted, for: caller)
    case .grantedOnce:
      pass(permission, Passing(scope: Set(permission.scope), instance: caller.instance), for: identity.id)
    case .grantedForSession: pass(permission, Passing(scope: Set(permission.scope)), for: identity.id)
    case .denied: try await answer(permission, .denied, for: caller)
    case .dismissed: break
    }
    return current()
  }

  /// Whether the first call that needs a permission asks the user for it: it is undecided, there is a user to ask, and the
  /// sandbox, whose rules a process keeps from its start to its end, has no part in it.
  func isAskedFor(_ name: String, for identity: Caller.Identity) -> Bool {
    guard case .ask(.some) = consent, let kind = PermissionKind.named(name), !kind.isEnforcedBySandbox else {
      return false
    }
    return state(of: name, for: identity) == .undecided
  }

  private func untilAnswered(_ key: Asked) async {
    await withCheckedContinuation { continuation in
      let isOpen = open.withLock { open in
        guard open[key] != nil else { return false }
        open[key]?.append(continuation)
        return true
      }
      if !isOpen { continuation.resume() }
    }
  }

  /// Stores the user's answer. The caller gets it as the answer to its question, and the notification of the change
  /// afterwards.
  private func answer(
    _ permission: AskedPermission, _ state: PermissionState, for caller: Caller
  ) async throws(ExtensionError) {
    unanswered.withLock { $0[caller.instance] = .some(nil) }
    do throws(ExtensionError) {
      try await decide(permission, state, for: caller.identity.id)
    } catch {
      answered(caller)
      throw error
    }
  }

  /// Records that the answer to a caller's question has been sent: the caller receives notifications of changes again.
  public func answered(_ caller: Caller) {
    let look = unanswered.withLock { $0.removeValue(forKey: caller.instance) }
    if let look = look ?? nil { look() }
  }

  /// Returns whether a caller is about to get an answer that contains a change.
  ///
  /// - Parameter look: called when the answer has been sent.
  func isAnswering(_ caller: Caller, _ look: @escaping @Sendable () -> Void) -> Bool {
    unanswered.withLock { unanswered in
      guard unanswered[caller.instance] != nil else { return false }
      unanswered[caller.instance] = .some(look)
      return true
    }
  }

  /// A process has ended: its questions are forgotten.
  func forget(_ caller: Caller) {
    asked.withLock { $0 = $0.filter { $0.instance != caller.instance } }
    passing.withLock { passing in
      for (kind, grants) in passing.all {
        let kept = grants.filter { $0.instance != caller.instance }
        guard kept.count < grants.count else { continue }
        passing.all[kind] = kept.isEmpty ? nil : kept
        passing.generation &+= 1
      }
    }
    unanswered.withLock { _ = $0.removeValue(forKey: caller.instance) }
  }
}
