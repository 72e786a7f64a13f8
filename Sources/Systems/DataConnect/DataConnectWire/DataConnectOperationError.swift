public import JSON

/// An operation has failed, in whole or in part.
public struct DataConnectOperationError: DataConnectError {
  /// What has happened.
  public let message: String
  /// The error behind it.
  public let underlyingError: (any Error)?
  /// What the server has said; `nil` when it has not been reached.
  public let response: OperationFailureResponse?

  /// A failure.
  public init(
    message: String, underlyingError: (any Error)? = nil, response: OperationFailureResponse? = nil
  ) {
    self.message = message
    self.underlyingError = underlyingError
    self.response = response
  }
}

/// A response with errors.
public struct OperationFailureResponse: Sendable, Hashable {
  /// A step of the way to a field.
  public enum PathSegment: Sendable, Hashable {
    /// The name that a field has in the response.
    case field(String)
    /// The place in a list, from 0.
    case listIndex(Int)
  }

  /// What went wrong in one place.
  public struct Failure: Sendable, Hashable {
    /// What has happened.
    public let message: String
    /// Where in the response.
    public let path: [PathSegment]

    /// A failure.
    public init(message: String, path: [PathSegment] = []) {
      self.message = message
      self.path = path
    }
  }

  /// What went wrong.
  public let errors: [Failure]
  /// What there is in spite of that.
  public let value: JSONValue?

  /// A response with errors.
  public init(errors: [Failure], value: JSONValue?) {
    self.errors = errors
    self.value = value
  }

  /// What there is in spite of the errors, as JSON.
  public var rawJsonData: String { (value ?? .null).description }
}
