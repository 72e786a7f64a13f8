public import Observation
import Synchronization

/// A query that views observe as they observe every `@Observable` object.
public final class QueryRefObservation<
  ResultData: Decodable & Sendable, Variables: OperationVariable
>: QueryRef, Observable, Sendable {
  private let core: QueryCore<ResultData, Variables>
  private let state = Mutex(QueryState<ResultData>())
  private let registrar = ObservationRegistrar()

  init(_ core: QueryCore<ResultData, Variables>) { self.core = core }

  /// The variables.
  public var variables: Variables { core.variables }

  /// The last result; `nil` before the first.
  public var data: ResultData? {
    registrar.access(self, keyPath: \.data)
    return state.withLock { $0.data }
  }

  /// The error since the last result; `nil` without one.
  public var lastError: (any DataConnectError)? {
    registrar.access(self, keyPath: \.lastError)
    return state.withLock { $0.lastError?.dataConnectError }
  }

  /// Where the last result comes from; `nil` before the first.
  public var source: DataSource? {
    registrar.access(self, keyPath: \.source)
    return state.withLock { $0.source }
  }

  /// Whether a result is on its way.
  public var isLoading: Bool {
    registrar.access(self, keyPath: \.isLoading)
    return state.withLock { $0.loads > 0 }
  }

  /// Executes the query once.
  ///
  /// - Throws: a `DataConnectError`, which is the `lastError` then.
  public func execute(fetchPolicy: QueryFetchPolicy = .preferCache) async throws -> OperationResult<ResultData> {
    try await core.execute(fetchPolicy, noting: change)
  }

  /// Returns the first result and one for each change, until the caller drops the sequence.
  public func subscribe() -> QuerySubscription<ResultData> {
    QuerySubscription(
      open: { [core] in try core.client.carrier().subscribe(try core.request(.preferCache)) },
      notice: { [weak self] result in self?.change { $0.take(result) } })
  }

  private func change(_ body: @Sendable (inout QueryState<ResultData>) -> Void) {
    registrar.withMutation(of: self, keyPath: \.data) {
      registrar.withMutation(of: self, keyPath: \.lastError) {
        registrar.withMutation(of: self, keyPath: \.source) {
          registrar.withMutation(of: self, keyPath: \.isLoading) { state.withLock { body(&$0) } }
        }
      }
    }
  }
}
