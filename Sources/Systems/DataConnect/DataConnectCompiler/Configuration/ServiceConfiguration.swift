/// What `dataconnect.yaml` says of a service.
package struct ServiceConfiguration: Sendable, Hashable {
  package let serviceID: String
  package let location: String
  package let specVersion: String?
  /// The folder of the schema, relative to that of the file unless it begins with `/`.
  package let schemaSource: String
  package let database: DatabaseConfiguration?
  /// The folders of the connectors, relative to that of the file unless they begin with `/`.
  package let connectorDirectories: [String]
}

/// Which PostgreSQL holds the data.
package struct DatabaseConfiguration: Sendable, Hashable {
  package let database: String
  package let schema: String
  package let instanceID: String?
  package let validation: Validation?

  package enum Validation: String, Sendable, Hashable, CaseIterable {
    case strict = "STRICT"
    case compatible = "COMPATIBLE"
  }
}
