/// The notification `memoryPressure`: the extension is close to its memory ceiling, beyond which the host ends it. The
/// extension should release its caches.
public struct MemoryWarning: RemoteNotification, Equatable {
  /// The wire name.
  public static let method = "memoryPressure"

  /// How little is left.
  public enum Level: String, Codable, Sendable, CaseIterable {
    /// Four fifths are used.
    case warning
    /// Hardly anything is left.
    case critical
  }

  /// How little is left.
  public var level: Level
  /// The memory in use, in bytes.
  @NonNegative<UInt64> public var usage: UInt64
  /// The ceiling, in bytes.
  @NonNegative<UInt64> public var limit: UInt64

  /// - Parameters:
  ///   - level: how little is left.
  ///   - usage: bytes in use.
  ///   - limit: the ceiling, in bytes.
  public init(level: Level, usage: UInt64, limit: UInt64) {
    self.level = level
    self.usage = usage
    self.limit = limit
  }
}
