public import JSON

/// How much a log line matters; the levels and their order are swift-log's.
public enum LogLevel: String, Codable, Sendable, CaseIterable, Comparable {
  case trace, debug, info, notice, warning, error, critical

  /// Whether one level matters less than another.
  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rank < other.rank }
  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Where log lines go: the embedder passes one in. Called from any thread, and must not block.
public protocol LogSink: Sendable {
  /// - Parameters:
  ///   - message: a fixed sentence.
  ///   - metadata: the data, under dotted names (`extension.id`, `rpc.method`).
  func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue])

  /// Logs a line with its origin, for sinks that distinguish origins. The default implementation drops the origin.
  func log(_ entry: LogEntry)
}

extension LogSink {
  /// Logs the level, the message and the metadata.
  public func log(_ entry: LogEntry) { log(entry.level, entry.message, metadata: entry.metadata) }
}

/// A sink that drops every line.
public struct NoLog: LogSink {
  /// A sink that keeps nothing.
  public init() {}
  /// Drops the line.
  public func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {}
}
