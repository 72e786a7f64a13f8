package import ExtensionProtocol

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
