public import JSON

/// One line of the log with all that swift-log's `LogHandler` takes.
public struct LogEntry: Sendable {
  /// What logs a line: what the host says is told apart from what an extension says.
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
  /// Who logs it.
  public var label: Label
  /// The module that logs it.
  public var source: String
  /// Where in its sources, when that is known.
  public var file: String?
  /// The function there.
  public var function: String?
  /// The line there.
  public var line: UInt?

  /// Makes a line.
  ///
  /// - Parameters:
  ///   - level: how much it matters.
  ///   - message: a fixed sentence.
  ///   - metadata: the data.
  ///   - label: who logs it.
  ///   - source: the module that logs it.
  ///   - file: where in its sources, when that is known.
  ///   - function: the function there.
  ///   - line: the line there.
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
