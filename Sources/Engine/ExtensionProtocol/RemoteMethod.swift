/// A request of JSON-RPC 2.0: the value is its params object.
public protocol RemoteMethod: Codable, Sendable {
  /// The result member of the answer.
  associatedtype Result: Codable & Sendable
  /// The wire name, `prefix/name`.
  static var method: String { get }
  /// How long an extension may take for a call of the host's; ``RequestDeadline/standard`` unless it says otherwise.
  static var deadline: RequestDeadline { get }
  /// How long the host may take for a call of an extension's when that is longer than what the host allows its services
  /// otherwise; `nil` unless it says otherwise.
  static var serviceDeadline: Duration? { get }
}

extension RemoteMethod {
  /// The default is ``RequestDeadline/standard``.
  public static var deadline: RequestDeadline { .standard }
  /// The default is what the host allows its services.
  public static var serviceDeadline: Duration? { nil }
}

/// A notification of JSON-RPC 2.0: the value is its params object, and there is no answer.
public protocol RemoteNotification: Codable, Sendable {
  /// The wire name, `prefix/name`.
  static var method: String { get }
}

/// An empty object: the result `{}`.
public struct Empty: Codable, Sendable, Equatable {
  /// Creates the empty object.
  public init() {}
}

/// Params that belong to a request of the user. Both sides refer to the request by its identifier: while it is open,
/// its items can be loaded and its progress reported.
public protocol RequestScoped {
  /// The identifier of the request.
  var requestID: String { get }
}
