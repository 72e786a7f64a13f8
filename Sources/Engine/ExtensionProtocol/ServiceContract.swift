/// The contract layer of a feature, linked by both sides: the methods under one prefix, who may call them, and the
/// extension points at which the feature's extensions appear.
public protocol ServiceContract: Sendable {
  /// The method prefix, which is also the name of the entitlement and the log category.
  static var name: String { get }
  /// The methods that the host serves for extensions.
  static var methods: [any RemoteMethod.Type] { get }
  /// What the host calls in its turn, at whatever extension point: for items that it passes, or to tell of changes. Empty
  /// unless it says otherwise. What belongs to one extension point is listed by the point's definition.
  static var calls: [HostCall] { get }
  /// The rows of the allowlist for these methods; empty by default. A method without a row needs an entitlement named
  /// like its prefix.
  static var access: [Allowlist.Row] { get }
  /// The extension points whose extensions speak this contract; empty by default.
  static var points: [ExtensionPointDefinition] { get }
}

extension ServiceContract {
  /// The default is that the host calls nothing.
  public static var calls: [HostCall] { [] }
  /// The default opens the methods to those with an entitlement named like the prefix.
  public static var access: [Allowlist.Row] { [] }
  /// The default belongs to no extension point of its own.
  public static var points: [ExtensionPointDefinition] { [] }
}
