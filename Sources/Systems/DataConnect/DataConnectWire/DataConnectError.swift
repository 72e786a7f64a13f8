/// The members that all errors of this module have.
public protocol DataConnectError: Error, CustomStringConvertible {
  /// What failed, in one sentence.
  var message: String { get }
  /// The error behind it.
  var underlyingError: (any Error)? { get }
}

extension DataConnectError {
  /// The message.
  public var description: String { message }
}

/// Any of the errors.
public struct AnyDataConnectError: DataConnectError {
  /// The error itself.
  public let dataConnectError: any DataConnectError

  /// What failed, in one sentence.
  public var message: String { dataConnectError.message }
  /// The error behind it.
  public var underlyingError: (any Error)? { dataConnectError.underlyingError }

  /// An error as one of this module's; what is foreign is an operation that did not get through.
  public init(_ error: any Error) {
    dataConnectError =
      switch error {
      case let error as AnyDataConnectError: error.dataConnectError
      case let error as any DataConnectError: error
      default: DataConnectOperationError(message: "The operation has failed: \(error)", underlyingError: error)
      }
  }
}

/// The client could not be created, because no transport is available.
public struct DataConnectInitError: DataConnectError {
  /// The sorts of failure.
  public enum Code: Sendable, Hashable {
    /// Nothing was said of the app.
    case appNotConfigured
    /// No connection could be set up.
    case grpcNotConfigured
  }

  /// The sort of failure.
  public let code: Code
  /// What failed, in one sentence.
  public let message: String
  /// The error behind it.
  public let underlyingError: (any Error)?

  /// Nothing carries operations.
  public static var appNotConfigured: DataConnectInitError {
    DataConnectInitError(
      code: .appNotConfigured, message: "Nothing carries operations of Data Connect: install a transport first.",
      underlyingError: nil)
  }

  /// No connection could be set up.
  public static func grpcNotConfigured(_ message: String, underlyingError: (any Error)? = nil) -> DataConnectInitError {
    DataConnectInitError(code: .grpcNotConfigured, message: message, underlyingError: underlyingError)
  }
}

/// Something inside has failed.
public struct DataConnectInternalError: DataConnectError {
  /// The sorts of failure.
  public enum Code: Sendable, Hashable {
    /// Anything else.
    case internalError
    /// The store of kept results.
    case sqliteError
  }

  /// The sort of failure.
  public let code: Code
  /// What failed, in one sentence.
  public let message: String
  /// The error behind it.
  public let underlyingError: (any Error)?

  /// A failure.
  public init(code: Code, message: String, underlyingError: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlyingError = underlyingError
  }
}
