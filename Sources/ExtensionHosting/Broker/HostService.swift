public import ExtensionProtocol

/// A method that the host serves for extensions.
public typealias Handler = MethodHandler<Caller>

/// The host layer of a feature: what the host does for extensions under one method prefix.
///
/// The broker has already asked whether the caller *may*; a service decides *what*.
public protocol HostService: Sendable {
  associatedtype Contract: ServiceContract

  /// One handler for each method of the contract.
  @HandlerBuilder var handlers: [Handler] { get }

  /// Work of the service's own, as a child task of the host.
  func run() async throws

  /// Work beside a caller's connection, such as telling it of changes; cancelled when the connection has ended.
  func accompany(_ caller: Caller) async

  /// The caller's connection has ended: whatever was kept for it can go, and nobody needs to wait for it any more.
  func callerDidExit(_ caller: Caller) async
}

extension HostService {
  public func run() async throws {}
  public func accompany(_ caller: Caller) async {}
  public func callerDidExit(_ caller: Caller) async {}
}

/// Lists handlers one under the other.
@resultBuilder
public enum HandlerBuilder {
  public static func buildBlock(_ handlers: Handler...) -> [Handler] { handlers }
}
