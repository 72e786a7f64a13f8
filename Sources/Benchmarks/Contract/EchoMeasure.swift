public import ExtensionProtocol

/// `echo/measure`: the extension calls a service of the host many times and answers with what one call takes.
public struct EchoMeasure: RemoteMethod {
  public static let method = "echo/measure"

  /// The call that is measured.
  public enum Service: String, Codable, Sendable {
    /// A read of one key of an app group, after the first use.
    case defaults
    /// `defaults/set` of 100 bytes.
    case defaultsWrite
    /// Writes of the present time, one after the other, for another extension that observes.
    case defaultsNotify
    /// Hears of such writes; the result is how long after they began.
    case defaultsObserve
    /// `content/execute` of one query.
    case content
  }

  public struct Result: Codable, Sendable, Equatable {
    /// Nanoseconds.
    public var median: Int64
    /// Nanoseconds.
    public var p99: Int64

    public init(median: Int64, p99: Int64) {
      self.median = median
      self.p99 = p99
    }
  }

  public var service: Service
  public var count: Int

  public init(service: Service, count: Int) {
    self.service = service
    self.count = count
  }
}
