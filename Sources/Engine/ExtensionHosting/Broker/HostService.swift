public import ExtensionProtocol

/// A method that the host serves for extensions.
public typealias Handler = MethodHandler<Caller>

/// The host layer of a feature: what the host does for extensions under one method prefix.
///
/// The broker has already asked whether the caller *may*; a service decides *what*.
public protocol HostService: Sendable {
  /// What crosses the wire under the service's prefix. `ExtensionHost.init` throws `internalError` when two services
  /// share a prefix, or when a method of the contract has no handler.
  associatedtype Contract: ServiceContract

  /// One handler for each method of the contract.
  @HandlerBuilder var handlers: [Handler] { get }

  /// Work of the service's own, as a child task of the host.
  func run() async throws

  /// Work beside a caller's connection, such as telling it of changes; cancelled when the connection has ended.
  func accompany(_ caller: Caller) async

  /// Called when the connection of a caller has ended. The service releases what it kept for the caller.
  func callerDidExit(_ caller: Caller) async
}

extension HostService {
  /// The default has no work of its own: it returns at once.
  public func run() async throws {}
  /// The default does nothing beside the connection.
  public func accompany(_ caller: Caller) async {}
  /// The default has kept nothing that would have to go.
  public func callerDidExit(_ caller: Caller) async {}
}

/// Lists handlers one under the other.
@resultBuilder
public enum HandlerBuilder {
  /// Collects handlers. Their order has no meaning.
  public static func buildBlock(_ handlers: Handler...) -> [Handler] { handlers }
}

/// The host layer of a feature: how its service is made.
package protocol HostFeature: Sendable {
  associatedtype Service: HostService

  /// Makes the service of one host.
  ///
  /// - Parameter environment: what it is made of, the services of other features included.
  static func makeService(in environment: HostEnvironment) throws -> Service
}

/// Features that a host can have, each with the service that answers its methods.
///
/// Each product with services has a list of its own: `.standard` is that of `HostServices`, `.content` that of
/// `ContentServices`.
public struct HostFeatures: Sendable {
  package let types: [any HostFeature.Type]

  /// A list of some features, in the order in which their services are made.
  package init(_ types: [any HostFeature.Type]) { self.types = types }

  /// All features of several lists.
  package init(_ lists: [HostFeatures]) { types = lists.flatMap(\.types) }
}
