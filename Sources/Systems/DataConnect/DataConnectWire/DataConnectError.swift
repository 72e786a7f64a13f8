/// What every error of this module says.
public protocol DataConnectError: Error, CustomStringConvertible {
  /// What has happened.
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

  /// What has happened.
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

/// There is nothing that could carry operations.
public struct DataConnectInitError: DataConnectError {
  /// What is missing.
  public enum Code: Sendable, Hashable {
    /// Nothing was said of the app.
    case appNotConfigured
    /// No connection could be set up.
    case grpcNotConfigured
  }

  /// What is missing.
  public let code: Code
  /// What has happened.
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
  /// What has failed.
  public enum Code: Sendable, Hashable {
    /// Anything else.
    case internalError
    /// The store of kept results.
    case sqliteError
  }

  /// What has failed.
  public let code: Code
  /// What has happened.
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
