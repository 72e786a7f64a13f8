public import DataConnectWire

/// What a mutation gives, which is always there when it has succeeded.
public protocol MutationData: Decodable, Sendable {}

/// The result of an operation that has succeeded.
public struct OperationResult<ResultData: Decodable & Sendable>: Sendable {
  private let given: ResultData?
  /// Where it is from.
  public let source: DataSource

  /// What the operation has given; `nil` for a query that asked for kept results where none are.
  public var data: ResultData? { given }

  init(data: ResultData?, source: DataSource) {
    given = data
    self.source = source
  }
}

extension OperationResult where ResultData: MutationData {
  /// What the mutation has given.
  @_disfavoredOverload
  public var data: ResultData {
    // A mutation without data has thrown: no result is made of it.
    guard let given else { preconditionFailure("A mutation gave no data.") }
    return given
  }
}

/// The variables of an operation.
public protocol OperationVariable: Encodable, Hashable, Sendable {}
