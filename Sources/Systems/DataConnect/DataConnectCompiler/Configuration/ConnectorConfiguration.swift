/// The content of a `connector.yaml`.
package struct ConnectorConfiguration: Sendable, Hashable {
  /// The connector's name, which clients put into the path of their requests.
  package let connectorID: String
  /// The Swift packages to generate from the connector.
  package let swiftPackages: [SwiftGeneration]
}

/// A Swift package to generate from a connector.
package struct SwiftGeneration: Sendable, Hashable {
  /// The folder of the package, relative to the folder of the file unless it begins with `/`.
  package let outputDirectory: String
  /// The name of the generated package.
  package let package: String
  /// How the generated queries notify views.
  package let publisher: Publisher
  /// How generated clients cache results; `nil` when they do not.
  package let cache: ClientCache?

  /// How views are notified of changes.
  package enum Publisher: String, Sendable, Hashable, CaseIterable {
    case observableMacro, observableObject
  }
}

/// How generated clients cache results.
package struct ClientCache: Sendable, Hashable {
  /// The age in milliseconds up to which a cached result is fresh.
  package let maxAge: Int
  /// The largest size of the cache in bytes; `nil` when `connector.yaml` sets none.
  package let maxSize: Int?
  /// Where results are kept.
  package let storage: Storage

  /// Where a client keeps cached results: in a file that survives the process, or in memory.
  package enum Storage: String, Sendable, Hashable, CaseIterable {
    case persistent, memory
  }
}
