public import JSON
import JSONRPC

/// `terminate`: the host is about to close the extension's standard input and to end the process.
public struct Terminate: RemoteMethod {
  /// An extension answers `{}` and exits.
  public typealias Result = Empty
  /// The wire name.
  public static let method = "terminate"

  /// `idle`, `update`, `memory`, `quit`, `timeout`, `policy` or `host`.
  public var reason: String
  /// Milliseconds until the process is killed.
  @NonNegative<Int> public var graceMs: Int

  /// - Parameters:
  ///   - reason: a word of the list above.
  ///   - graceMs: milliseconds until the process is killed.
  public init(reason: String, graceMs: Int) {
    self.reason = reason
    self.graceMs = graceMs
  }
}

/// The request `$/ping`, which both sides may send.
public struct Ping: RemoteMethod {
  /// The wire name.
  public static let method = "$/ping"

  /// The result of a ping.
  public struct Result: Codable, Sendable, Equatable {
    /// The nonce of the request, unchanged.
    public var nonce: JSONValue?
    /// Milliseconds since the peer started, by its own clock.
    @NonNegative<Int64> public var uptimeMs: Int64

    /// - Parameters:
    ///   - nonce: that of the request.
    ///   - uptimeMs: milliseconds since the peer started.
    public init(nonce: JSONValue?, uptimeMs: Int64) {
      self.nonce = nonce
      self.uptimeMs = uptimeMs
    }
  }

  /// Any value; it comes back in the answer.
  public var nonce: JSONValue?
  /// - Parameter nonce: any value; it comes back in the answer.
  public init(nonce: JSONValue? = nil) { self.nonce = nonce }
}

/// The notification `$/progress`, which both sides may send: work for a request continues. It postpones a soft
/// deadline, and a hard one that is counted from the last activity; never any other hard deadline.
public struct Progress: RemoteNotification {
  /// The wire name.
  public static let method = "$/progress"

  /// The `_meta.progressToken` of the call, or the request's identifier.
  public var token: JSONValue
  /// How much is done; rises.
  @Exact<Double> public var progress: Double
  /// What `progress` will be at the end, when that is known.
  @Exact<Double?> public var total: Double?
  /// For people; one line.
  public var message: String?

  /// - Parameters:
  ///   - token: the `_meta.progressToken` of the call, or the request's identifier.
  ///   - progress: more than in the report before.
  ///   - total: what `progress` will be at the end.
  ///   - message: for people; one line.
  public init(token: JSONValue, progress: Double, total: Double? = nil, message: String? = nil) {
    self.token = token
    self.progress = progress
    self.total = total
    self.message = message
  }
}

/// `$/log`: a line for the host's log, at one of swift-log's seven levels.
public struct Log: RemoteNotification {
  /// The wire name.
  public static let method = "$/log"

  /// How much the line matters.
  public var level: LogLevel
  /// At most 16 KiB arrive.
  public var message: String
  /// Data beside the message, by name.
  public var fields: [String: JSONValue]?
  /// The part of the extension that speaks.
  public var logger: String?

  /// - Parameters:
  ///   - level: how much the line matters.
  ///   - message: at most 16 KiB arrive.
  ///   - fields: data beside the message, by name.
  ///   - logger: the part of the extension that speaks.
  public init(level: LogLevel, message: String, fields: [String: JSONValue]? = nil, logger: String? = nil) {
    self.level = level
    self.message = message
    self.fields = fields
    self.logger = logger
  }
}

/// `$/setTrace`: the host wants the extension to say in its log what it sends and receives.
public struct SetTrace: RemoteNotification {
  /// The wire name.
  public static let method = "$/setTrace"

  /// The amount of tracing.
  public enum Level: String, Codable, Sendable, CaseIterable {
    case off
    /// Traces the methods.
    case messages
    /// The methods, and their params.
    case verbose
  }

  /// How much the extension is to log.
  public var value: Level
  /// - Parameter value: how much the extension is to log.
  public init(_ value: Level) { self.value = value }
}
