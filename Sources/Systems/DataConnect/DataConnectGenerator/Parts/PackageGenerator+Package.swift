import DataConnectCompiler
import GraphQL

extension PackageGenerator {
  /// The manifest of the package.
  var packageText: String {
    let name = SwiftName.literal(generation.package)
    return """
      // swift-tools-version: 6.0
      import PackageDescription

      let package = Package(
        name: \(name),
        platforms: [.iOS(.v17), .macOS(.v14), .watchOS(.v10), .tvOS(.v17)],
        products: [
          .library(name: \(name), targets: [\(name)])
        ],
        dependencies: [
          \(options.dependency)
        ],
        targets: [
          .target(
            name: \(name),
            dependencies: [.product(name: "DataConnect", package: \(SwiftName.literal(options.dependencyName)))],
            path: "Sources")
        ],
        swiftLanguageModes: [.v6]
      )

      """
  }

  /// The README of the package.
  var readmeText: String {
    let operations = connector.connector.operations
    let lower = SwiftName.lowerFirst(name)
    let example = operations.first.map { "DataConnect.\(lower)Connector.\(propertyName(of: $0))" }
    let list = operations.map { "- `\($0.name)` (\($0.kind.rawValue)): `\(propertyName(of: $0))`\n" }.joined()
    return """
      # \(generation.package)

      Generated from the connector `\(connector.configuration.connectorID)` of the service `\(service.serviceID)`.
      Changes here are lost: change the connector and generate it again.

      ```swift
      import DataConnect
      import \(generation.package)

      let connector = DataConnect.\(lower)Connector
      connector.useEmulator()
      ```

      \(example.map { "Every operation has `execute` and `ref`: `\($0).execute(…)`.\n\n" } ?? "")\(list)
      """
  }

  /// The first lines of every Swift file.
  var head: String {
    """
    // Generated from the connector \(SwiftName.literal(connector.configuration.connectorID)): changes here are lost.

    import DataConnect

    #if canImport(FoundationEssentials)
      import FoundationEssentials
    #else
      import Foundation
    #endif


    """
  }
}
