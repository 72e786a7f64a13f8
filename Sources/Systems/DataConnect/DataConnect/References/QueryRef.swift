/// A query with its variables. Equal ones share one reference while somebody holds it.
public protocol QueryRef<ResultData>: AnyObject, Sendable {
  /// What the query gives.
  associatedtype ResultData: Decodable & Sendable
  /// The variables of the query.
  associatedtype Variables: OperationVariable

  /// The last result; `nil` before the first.
  var data: ResultData? { get }
  /// What went wrong since the last result.
  var lastError: AnyDataConnectError? { get }
  /// Where the last result is from.
  var source: DataSource? { get }
  /// Whether a result is on its way.
  var isLoading: Bool { get }

  /// Executes the query once.
  ///
  /// - Throws: a `DataConnectError`, which is the `lastError` then.
  func execute(fetchPolicy: QueryFetchPolicy) async throws -> OperationResult<ResultData>
  /// The first result and one for each change, as long as they are asked for.
  func subscribe() -> QuerySubscription<ResultData>
}

extension QueryRef {
  /// Executes the query once, with what is kept where that is fresh.
  public func execute() async throws -> OperationResult<ResultData> { try await execute(fetchPolicy: .preferCache) }
}

/// What is known of a query.
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

  /// What asks for one result after another.
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
