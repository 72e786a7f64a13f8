public import ExtensionProtocol

/// What was counted of one extension over all of its runs.
public struct ExtensionStatistics: Sendable, Codable, Equatable, StateContent {
  /// The calls of one method, in one direction.
  public struct Method: Sendable, Codable, Equatable {
    /// Answers and errors alike.
    public var latency = LatencyHistogram()
    /// How many ended with an error.
    @NonNegative<Int64> public var errors: Int64 = 0

    /// Makes the count of a method that was never called.
    public init() {}

    mutating func add(_ other: Method) {
      latency.add(other.latency)
      errors = errors.countingUp(other.errors)
    }
  }

  /// What one process used.
  public struct Run: Sendable, Codable, Equatable {
    /// When it ended, in seconds since 1970.
    @Timestamp<Double> public var ended: Double
    /// The most memory that was seen, in bytes, counted as ``ExtensionLimits/memory`` counts it.
    @NonNegative<Int64> public var peakMemory: Int64
    /// The processor time of all its threads, in microseconds.
    @NonNegative<Int64> public var processorTime: Int64

    /// The processor time in nanoseconds, as the statistics have other times.
    package var processorNanoseconds: Int64 { min(processorTime, .max / 1_000) * 1_000 }

    /// Makes the record of a run; the arguments are described at the properties.
    public init(ended: Double, peakMemory: Int64, processorTime: Int64) {
      self.ended = ended
      self.peakMemory = Int64(0).countingUp(max(0, peakMemory))
      self.processorTime = Int64(0).countingUp(max(0, processorTime))
    }
  }

  /// Processes that were started.
  @NonNegative<Int64> public var launches: Int64 = 0
  /// Runs that failed, as ``HealthRecord`` understands it.
  @NonNegative<Int64> public var failures: Int64 = 0
  /// The number of requests that a process started ahead has served.
  @NonNegative<Int64> public var warm: Int64 = 0
  /// From the decision to start to the answer to `initialize`.
  public var launch = LatencyHistogram()
  /// Calls of the host, by method.
  public var calls: [String: Method] = [:]
  /// Calls of the extension that the host served, by method.
  public var served: [String: Method] = [:]
  /// The last runs that were measured, the newest last; at most ``runLimit``. A process is measured while it works and once
  /// more before it is asked to end.
  public var runs: [Run] = []

  /// The largest number of runs that are kept.
  public static let runLimit = 20
  /// The largest number of methods with counters of their own; further ones are counted as `other`.
  static let methodLimit = 64

  /// Makes the statistics of an extension that was never started.
  public init() {}

  mutating func add(_ other: ExtensionStatistics) {
    launches = launches.countingUp(other.launches)
    failures = failures.countingUp(other.failures)
    warm = warm.countingUp(other.warm)
    launch.add(other.launch)
    Self.add(other.calls, to: &calls)
    Self.add(other.served, to: &served)
    runs = (runs + other.runs).suffix(Self.runLimit)
  }

  private static func add(_ new: [String: Method], to methods: inout [String: Method]) {
    for (name, method) in new {
      let isKept = methods[name] != nil || methods.count < methodLimit
      methods[isKept ? name : "other", default: Method()].add(method)
    }
  }
}

extension ExtensionStatistics {
  /// Reads what ``encode(to:)`` has written; a file without runs was written before there were any.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    _launches = try container.decode(NonNegative<Int64>.self, forKey: .launches)
    _failures = try container.decode(NonNegative<Int64>.self, forKey: .failures)
    _warm = try container.decode(NonNegative<Int64>.self, forKey: .warm)
    launch = try container.decode(LatencyHistogram.self, forKey: .launch)
    calls = try container.decode([String: Method].self, forKey: .calls)
    served = try container.decode([String: Method].self, forKey: .served)
    runs = (try container.decodeIfPresent([Run].self, forKey: .runs) ?? []).suffix(Self.runLimit)
  }
}

/// The statistics of a state directory: a file for each extension, added to under a lock when a process ends.
package struct StatisticsStore: Sendable {
  private let files: StateFolder<ExtensionStatistics>

  /// Creates a store of statistics.
  ///
  /// - Parameters:
  ///   - state: the state directory; the statistics are in its folder `statistics`.
  ///   - log: receives a warning for each file that cannot be read.
  package init(_ state: StateDirectory, log: any LogSink = NoLog()) {
    files = StateFolder("statistics", in: state, name: "The file of statistics", log: log)
  }

  /// The extensions that something was counted of.
  package var identifiers: [String] { files.identifiers }

  /// What was counted of an extension; nothing where the file cannot be read.
  package func statistics(of id: String) -> ExtensionStatistics { files.read(id) ?? ExtensionStatistics() }

  /// Adds what was counted.
  ///
  /// - Throws: `storeFailed` when the file cannot be written.
  package func add(_ statistics: ExtensionStatistics, to id: String) async throws(ExtensionError) {
    try await files.change(id, or: ExtensionStatistics()) { kept throws(ExtensionError) in kept.add(statistics) }
  }
}
