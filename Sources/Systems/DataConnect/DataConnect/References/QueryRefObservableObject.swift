import Synchronization

/// A query that says before each change that it will change.
public final class QueryRefObservableObject<
  ResultData: Decodable & Sendable, Variables: OperationVariable
>: QueryRef, Sendable {
  private let core: QueryCore<ResultData, Variables>
  private let state = Mutex(QueryState<ResultData>())
  private let observers = Mutex<[Int: @Sendable () -> Void]>([:])
  private let numbers = Atomic(0)

  init(_ core: QueryCore<ResultData, Variables>) { self.core = core }

  /// The variables.
  public var variables: Variables { core.variables }

  /// The last result; `nil` before the first.
  public var data: ResultData? { state.withLock { $0.data } }
  /// The error since the last result; `nil` without one.
  public var lastError: (any DataConnectError)? { state.withLock { $0.lastError?.dataConnectError } }
  /// Where the last result comes from; `nil` before the first.
  public var source: DataSource? { state.withLock { $0.source } }
  /// Whether a result is on its way.
  public var isLoading: Bool { state.withLock { $0.loads > 0 } }

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

  /// Calls a closure before each change of the reference, whatever its origin.
  ///
  /// - Returns: a closure that ends the observation.
  public func objectWillChange(_ observer: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let number = numbers.wrappingAdd(1, ordering: .relaxed).oldValue
    observers.withLock { $0[number] = observer }
    return { [weak self] in _ = self?.observers.withLock { $0.removeValue(forKey: number) } }
  }

  private func change(_ body: @Sendable (inout QueryState<ResultData>) -> Void) {
    for observer in observers.withLock({ Array($0.values) }) { observer() }
    state.withLock { body(&$0) }
  }
}
