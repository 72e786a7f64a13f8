/// A request of JSON-RPC 2.0: the value is its params object.
public protocol RemoteMethod: Codable, Sendable {
  /// The result member of the answer.
  associatedtype Result: Codable & Sendable
  /// The wire name, `prefix/name`.
  static var method: String { get }
}

/// A notification of JSON-RPC 2.0: the value is its params object, and there is no answer.
public protocol RemoteNotification: Codable, Sendable {
  /// The wire name, `prefix/name`.
  static var method: String { get }
}

/// The result `{}`.
public struct Empty: Codable, Sendable, Equatable {
  /// The empty object.
  public init() {}
}

/// The contract of a feature: what crosses the wire under one method prefix, linked by both sides.
public protocol ServiceContract: Sendable {
  /// The method prefix, which is also the entitlement's name and the log category.
  static var name: String { get }
  /// The methods that the host serves for extensions.
  static var methods: [any RemoteMethod.Type] { get }
}
