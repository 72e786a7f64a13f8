/// `$/setTrace`: the host wants the extension to say in its log what it sends and receives.
public struct SetTrace: RemoteNotification {
  public static let method = "$/setTrace"

  /// How much.
  public enum Level: String, Codable, Sendable {
    case off
    /// The methods.
    case messages
    /// The methods, and their params.
    case verbose
  }

  public var value: Level
  public init(_ value: Level) { self.value = value }
}
