/// What `connector.yaml` says of a connector.
package struct ConnectorConfiguration: Sendable, Hashable {
  package let connectorID: String
  /// The Swift packages that are generated of it.
  package let swiftPackages: [SwiftGeneration]
}

/// A Swift package that is generated of a connector.
package struct SwiftGeneration: Sendable, Hashable {
  /// Relative to the folder of the file unless it begins with `/`.
  package let outputDirectory: String
  package let package: String
  package let publisher: Publisher
  package let cache: ClientCache?

  /// How views learn of changes.
  package enum Publisher: String, Sendable, Hashable, CaseIterable {
    case observableMacro, observableObject
  }
}

/// How clients keep results.
package struct ClientCache: Sendable, Hashable {
  /// How old results may be, in milliseconds.
  package let maxAge: Int
  /// In bytes.
  package let maxSize: Int?
  package let storage: Storage

  package enum Storage: String, Sendable, Hashable, CaseIterable {
    case persistent, memory
  }
}
