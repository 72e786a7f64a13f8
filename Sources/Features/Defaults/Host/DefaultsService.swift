public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSON
import PropertyList
import Text

/// `defaults/…`: the group store for extensions and their containing app.
public final class DefaultsService: HostService {
  /// The methods that are served, those under `defaults/`.
  public typealias Contract = Defaults

  /// The store of the values.
  package let store: SuiteStore
  private let observers = SuiteObservers()

  /// Serves the suites of a store; several hosts may have the same one.
  public init(store: SuiteStore) { self.store = store }

  /// Answers the methods under `defaults/`, for suites that are app groups of the caller.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(Defaults.Get.self) { params, caller in
      let entry = try await self.entitled(params.suite, caller).get(params.key, in: params.suite)
      return Defaults.Get.Result(value: entry?.value, revision: entry?.revision ?? 0)
    }
    Handler(Defaults.All.self) { params, caller in
      let (values, revision) = try await self.entitled(params.suite, caller).all(in: params.suite)
      return Defaults.All.Result(values: values, revision: revision)
    }
    Handler(Defaults.Set.self) { params, caller in
      try await self.write(params.suite, caller) {
        try await $0.apply(setting: [params.key: params.value], in: $1, quietly: $2)
      }
    }
    Handler(Defaults.SetMany.self) { params, caller in try await self.setMany(params, for: caller) }
    Handler(Defaults.Remove.self) { params, caller in
      try await self.write(params.suite, caller) {
        try await $0.apply(setting: [:], removing: [params.key], in: $1, quietly: $2)
      }
    }
    Handler(Defaults.RemoveAll.self) { params, caller in
      try await self.write(params.suite, caller) { try await $0.removeAll(in: $1, quietly: $2) }
    }
    Handler(Defaults.CompareAndSet.self) { params, caller in
      let result = try await self.entitled(params.suite, caller).compareAndSet(
        params.key, to: params.value, expecting: params.expectedRevision, in: params.suite,
        quietly: Self.isQuiet(caller))
      return Defaults.CompareAndSet.Result(swapped: result.swapped, revision: result.revision)
    }
    Handler(Defaults.Observe.self) { params, caller in
      let store = try self.entitled(params.suite, caller)
      let observer = try self.observers.observe(params.suite, prefix: params.prefix, for: caller)
      let identity = try await store.identity()
      let revision = try await store.all(in: params.suite).revision
      observer.begin(after: revision, of: identity)
      return Defaults.Revision(revision: revision)
    }
    Handler(Defaults.Follow.self) { params, caller in try await self.follow(params, for: caller) }
  }

  /// Sends the caller the changes in the suites that it observes or follows, while it is connected.
  public func accompany(_ caller: Caller) async { await observers.accompany(caller, telling: store) }

  /// Forgets what the process observed and followed.
  public func callerDidExit(_ caller: Caller) async { observers.forget(caller) }

  /// The store, for a caller that both manifests entitle to the suite.
  private func entitled(_ suite: String, _ caller: Caller) throws(ExtensionError) -> SuiteStore {
    try caller.require(group: suite)
    return store
  }

  private func setMany(_ params: Defaults.SetMany, for caller: Caller) async throws -> Defaults.Revision {
    let remove = params.remove ?? []
    let set = Set(params.values.keys.map { ExactText($0) })
    if let key = remove.first(where: { set.contains(ExactText($0)) }) {
      throw ExtensionError(.invalidParams, "The key \"\(key)\" stands under both values and remove.")
    }
    return try await write(params.suite, caller) {
      try await $0.apply(setting: params.values, removing: remove, in: $1, quietly: $2)
    }
  }

  /// Whether a caller shows what it writes: a widget's own writes are no reason to update it, or another one.
  private static func isQuiet(_ caller: Caller) -> Bool { caller.identity.point == .today }

  /// A write of a caller, which returns the suite's revision.
  private func write(
    _ suite: String, _ caller: Caller, _ body: (SuiteStore, String, Bool) async throws -> Int64
  ) async throws -> Defaults.Revision {
    let revision = try await body(entitled(suite, caller), suite, Self.isQuiet(caller))
    observers.wrote(suite, at: revision, by: caller)
    return Defaults.Revision(revision: revision)
  }

  /// Registers the follower before it reads the suite, so that no write in between is missed.
  private func follow(_ params: Defaults.Follow, for caller: Caller) async throws -> Defaults.Follow.Result {
    let store = try entitled(params.suite, caller)
    let observer = observers.follow(params.suite, for: caller)
    let identity = try await store.identity()
    if let after = params.after {
      let delta = try await store.delta(in: params.suite, after: after)
      if let changes = delta.changes {
        observer.begin(after: delta.revision, of: identity)
        return Defaults.Follow.Result(revision: delta.revision, whole: false, changes: changes)
      }
    }
    let (entries, revision) = try await store.entries(in: params.suite)
    observer.begin(after: revision, of: identity)
    let changes = entries.sorted { $0.key < $1.key }.map { key, entry in
      Defaults.Change(key: key, value: entry.value, revision: entry.revision)
    }
    return Defaults.Follow.Result(revision: revision, whole: true, changes: changes)
  }
}
