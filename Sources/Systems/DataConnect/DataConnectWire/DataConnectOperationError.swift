public import JSON

/// An operation has failed, in whole or in part.
public struct DataConnectOperationError: DataConnectError {
  /// What failed, in one sentence.
  public let message: String
  /// The error behind it.
  public let underlyingError: (any Error)?
  /// The server's answer; `nil` when the server was not reached.
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

  /// An error in one field of the response.
  public struct Failure: Sendable, Hashable {
    /// What failed, in one sentence.
    public let message: String
    /// The path of the field in the response.
    public let path: [PathSegment]

    /// A failure.
    public init(message: String, path: [PathSegment] = []) {
      self.message = message
      self.path = path
    }
  }

  /// The name of ``Failure`` in Firebase's SDK.
  public typealias ErrorInfo = Failure

  /// The errors of single fields.
  public let errors: [Failure]
  /// The data that the server returned in spite of the errors.
  public let value: JSONValue?

  /// A response with errors.
  public init(errors: [Failure], value: JSONValue?) {
    self.errors = errors
    self.value = value
  }

  /// The data that the server returned in spite of the errors, as JSON.
  public var rawJsonData: String { (value ?? .null).description }
}

/// The name of ``OperationFailureResponse/PathSegment`` in Firebase's SDK.
public typealias DataConnectPathSegment = OperationFailureResponse.PathSegment
