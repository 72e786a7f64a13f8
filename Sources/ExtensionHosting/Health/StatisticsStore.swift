package import ExtensionProtocol

/// The statistics of a state directory: a file for each extension, added to under a lock when a process ends.
package struct StatisticsStore: Sendable {
  private let files: StateFiles<ExtensionStatistics>

  package init(_ state: StateDirectory) {
    files = StateFiles(state: state, folder: "statistics", empty: ExtensionStatistics())
  }

  /// The extensions that something was counted of.
  package var identifiers: [String] { files.identifiers }

  package func statistics(of id: String) -> ExtensionStatistics { files.read(id) }

  /// - Throws: `storeFailed` when the file cannot be written.
  package func add(_ statistics: ExtensionStatistics, to id: String) async throws(ExtensionError) {
    try await files.change(id) { $0.add(statistics) }
  }
}
