import Glibc
public import JSON

/// One line of the log with all that swift-log's `LogHandler` takes.
public struct LogEntry: Sendable {
  /// The origin of a line, which separates the host's lines from those of extensions.
  public enum Label: String, Sendable, CaseIterable {
    /// The host.
    case host = "annex.host"
    /// An extension: its log lines and its standard error. All of it is foreign text.
    case `extension` = "annex.extension"
  }

  /// How much the line matters.
  public var level: LogLevel
  /// A fixed sentence of the host, or what an extension logged.
  public var message: String
  /// The data, under dotted names (`extension.id`, `rpc.method`).
  public var metadata: [String: JSONValue]
  /// The origin of the line.
  public var label: Label
  /// The module that logs it.
  public var source: String
  /// Where in its sources, when that is known.
  public var file: String?
  /// The function that logs the line, when it is known.
  public var function: String?
  /// The number of the source line, when it is known.
  public var line: UInt?

  /// Creates a line.
  ///
  /// - Parameters:
  ///   - level: the severity.
  ///   - message: a fixed sentence.
  ///   - metadata: the data.
  ///   - label: the origin of the line.
  ///   - source: the module that logs it.
  ///   - file: the source file, when it is known.
  ///   - function: the function, when it is known.
  ///   - line: the number of the source line, when it is known.
  public init(
    _ level: LogLevel, _ message: String, metadata: [String: JSONValue] = [:], label: Label = .host,
    source: String = "annex", file: String? = nil, function: String? = nil, line: UInt? = nil
  ) {
    self.level = level
    self.message = message
    self.metadata = metadata
    self.label = label
    self.source = source
    self.file = file
    self.function = function
    self.line = line
  }
}

/// Time since this program first asked.
package enum Uptime {
  private static let start = now

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  package static var milliseconds: Int64 {
    // Before the clock is read: the first use sets it, and a start behind the end would be a time below nothing.
    let start = start
    return now - start
  }
}
