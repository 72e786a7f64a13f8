/// A query with its variables. Equal queries share one reference while a caller holds it.
///
/// References are equal when they are one object.
public protocol QueryRef<ResultData>: AnyObject, Hashable, Sendable {
  /// The type of the query's result.
  associatedtype ResultData: Decodable & Sendable
  /// The variables of the query.
  associatedtype Variables: OperationVariable

  /// The last result; `nil` before the first.
  var data: ResultData? { get }
  /// The error since the last result; `nil` without one.
  var lastError: (any DataConnectError)? { get }
  /// Where the last result comes from; `nil` before the first.
  var source: DataSource? { get }
  /// Whether a result is on its way.
  var isLoading: Bool { get }

  /// Executes the query once.
  ///
  /// - Throws: a `DataConnectError`, which is the `lastError` then.
  func execute(fetchPolicy: QueryFetchPolicy) async throws -> OperationResult<ResultData>
  /// Returns the first result and one for each change, until the caller drops the sequence.
  func subscribe() -> QuerySubscription<ResultData>
}

extension QueryRef {
  /// Whether both are one object.
  public static func == (left: Self, right: Self) -> Bool { left === right }

  /// Puts in which object it is.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Executes the query once, with what is kept where that is fresh.
  public func execute() async throws -> OperationResult<ResultData> { try await execute(fetchPolicy: .preferCache) }
}

/// The state of a query: its last result and its last error.
struct QueryState<ResultData: Decodable & Sendable>: Sendable {
  var data: ResultData?
  var lastError: AnyDataConnectError?
  var source: DataSource?
  var loads = 0

  mutating func take(_ result: Result<OperationResult<ResultData>, AnyDataConnectError>) {
    switch result {
    case .success(let result):
      data = result.data
      source = result.source
      lastError = nil
    case .failure(let error): lastError = error
    }
  }
}

/// The results of a query.
public struct QuerySubscription<ResultData: Decodable & Sendable>: AsyncSequence, Sendable {
  /// A result, or why there is none.
  public typealias Element = Result<OperationResult<ResultData>, AnyDataConnectError>

  let open: @Sendable () throws -> AsyncThrowingStream<OperationResponse, any Error>
  let notice: @Sendable (Element) -> Void

  /// Returns one result after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let subscription: QuerySubscription
    private var iterator: AsyncThrowingStream<OperationResponse, any Error>.AsyncIterator?
    private var hasEnded = false

    init(subscription: QuerySubscription) { self.subscription = subscription }

    /// The next result; `nil` when there will be no more.
    public mutating func next() async -> Element? {
      if hasEnded { return nil }
      let result: Element
      do {
        var current = try iterator ?? subscription.open().makeAsyncIterator()
        let response = try await current.next(isolation: #isolation)
        iterator = current
        guard let response else {
          hasEnded = true
          return nil
        }
        result = Self.result(of: response)
      } catch {
        hasEnded = true
        result = .failure(AnyDataConnectError(error))
      }
      subscription.notice(result)
      return result
    }

    private static func result(of response: OperationResponse) -> Element {
      do {
        return .success(try QueryCore<ResultData, NoVariables>.result(of: response))
      } catch {
        return .failure(AnyDataConnectError(error))
      }
    }
  }

  /// Begins to ask.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: self) }
}

/// The variables of an operation without any.
struct NoVariables: OperationVariable {}

/// A query with its variables, however it is observed.
struct QueryCore<ResultData: Decodable & Sendable, Variables: OperationVariable>: Sendable {
  let client: DataConnect
  let operation: String
  let variables: Variables

  func request(_ policy: QueryFetchPolicy) throws -> OperationRequest {
    client.request(operation, .query, try VariableEncoder.object(of: variables), policy)
  }

  /// Executes the query once.
  ///
  /// - Parameter change: changes what is known of the query, when it begins and when it ends.
  /// - Throws: a `DataConnectError`.
  func execute(
    _ policy: QueryFetchPolicy, noting change: (@Sendable (inout QueryState<ResultData>) -> Void) -> Void
  ) async throws -> OperationResult<ResultData> {
    change { $0.loads += 1 }
    let result: Result<OperationResult<ResultData>, AnyDataConnectError>
    do {
      let response = try await client.carrier().execute(try request(policy))
      result = .success(try Self.result(of: response))
    } catch {
      result = .failure(AnyDataConnectError(error))
    }
    change { state in
      state.loads -= 1
      state.take(result)
    }
    do { return try result.get() } catch { throw error.dataConnectError }
  }

  static func result(of response: OperationResponse) throws -> OperationResult<ResultData> {
    let data = try response.checkedData()
    return OperationResult(
      data: try data.map { try ResponseValue.decode(ResultData.self, from: $0) }, source: response.source)
  }
}
