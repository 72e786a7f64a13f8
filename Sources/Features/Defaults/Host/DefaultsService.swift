public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSONRPC
import PropertyList
import Synchronization

/// `defaults/…`: the group store for extensions and their containing app.
public final class DefaultsService: HostService {
  public typealias Contract = Defaults

  private struct Observer {
    var caller: Caller
    var suite: String
    var prefix: String
  }

  private let store: SuiteStore
  private let observers = Mutex<[Observer]>([])

  public init(store: SuiteStore) { self.store = store }

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
      try await self.write([params.key: params.value], removing: [], in: params.suite, for: caller)
    }
    Handler(Defaults.SetMany.self) { params, caller in
      let remove = params.remove ?? []
      if let key = remove.first(where: { params.values[$0] != nil }) {
        throw ExtensionError(.invalidParams, "The key \"\(key)\" stands under both values and remove.")
      }
      return try await self.write(params.values, removing: remove, in: params.suite, for: caller)
    }
    Handler(Defaults.Remove.self) { params, caller in
      try await self.write([:], removing: [params.key], in: params.suite, for: caller)
    }
    Handler(Defaults.CompareAndSet.self) { params, caller in try await self.compareAndSet(params, for: caller) }
    Handler(Defaults.Observe.self) { params, caller in try await self.observe(params, for: caller) }
  }

  public func callerDidExit(_ caller: Caller) async {
    observers.withLock { $0.removeAll { $0.caller.instance == caller.instance } }
  }

  /// The store, for a caller that both manifests entitle to the suite.
  private func entitled(_ suite: String, _ caller: Caller) throws(ExtensionError) -> SuiteStore {
    guard caller.isEntitled(toGroup: suite) else {
      throw ExtensionError(
        .groupNotEntitled, "\(caller.identity.id) is not entitled to the app group \(suite).",
        details: ["group": .string(suite)])
    }
    return store
  }

  private func write(
    _ values: [String: PropertyListValue], removing keys: [String], in suite: String, for caller: Caller
  ) async throws -> Defaults.Revision {
    let change = try await entitled(suite, caller).apply(setting: values, removing: keys, in: suite)
    await announce(change, except: caller)
    return Defaults.Revision(revision: change.revision)
  }

  private func compareAndSet(
    _ params: Defaults.CompareAndSet, for caller: Caller
  ) async throws -> Defaults.CompareAndSet.Result {
    let result = try await entitled(params.suite, caller).compareAndSet(
      params.key, to: params.value, expecting: params.expectedRevision, in: params.suite)
    if let change = result.change { await announce(change, except: caller) }
    return Defaults.CompareAndSet.Result(swapped: result.change != nil, revision: result.revision)
  }

  private func observe(_ params: Defaults.Observe, for caller: Caller) async throws -> Defaults.Revision {
    let store = try entitled(params.suite, caller)
    observers.withLock { $0.append(Observer(caller: caller, suite: params.suite, prefix: params.prefix)) }
    return Defaults.Revision(revision: try await store.all(in: params.suite).revision)
  }

  /// Tells every observer but the writer.
  private func announce(_ change: SuiteStore.Change, except writer: Caller) async {
    let interested = observers.withLock { observers in
      observers.filter { $0.suite == change.suite && $0.caller.instance != writer.instance }
    }
    for observer in interested {
      let keys = change.keys.filter { $0.hasPrefix(observer.prefix) }
      guard !keys.isEmpty else { continue }
      await observer.caller.notify(
        Defaults.DidChange(suite: change.suite, revision: change.revision, keys: keys))
    }
  }
}
