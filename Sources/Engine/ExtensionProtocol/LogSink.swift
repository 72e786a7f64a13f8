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

  /// A line with who logs it, for sinks that tell them apart. The default leaves that out.
  func log(_ entry: LogEntry)
}

extension LogSink {
  /// Logs the level, the message and the metadata.
  public func log(_ entry: LogEntry) { log(entry.level, entry.message, metadata: entry.metadata) }
}

/// Drops every line.
public struct NoLog: LogSink {
  /// A sink that keeps nothing.
  public init() {}
  /// Does nothing.
  public func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {}
}
