package import DataConnectCompiler
import Text

/// Generates the Swift package of a connector.
package struct PackageGenerator: Sendable {
  let service: ServiceConfiguration
  let schema: CompiledSchema
  let connector: CompiledProject.Connector
  let generation: SwiftGeneration
  let options: GenerationOptions
  let types: TypeNames

  /// - Parameters:
  ///   - project: the compiled project.
  ///   - connector: one of its connectors.
  ///   - generation: one of the packages in the connector's configuration.
  package init(
    _ project: CompiledProject, _ connector: CompiledProject.Connector, _ generation: SwiftGeneration,
    options: GenerationOptions
  ) {
    service = project.project.configuration
    schema = project.schema
    self.connector = connector
    self.generation = generation
    self.options = options
    types = TypeNames(
      schema, connector: Self.name(of: connector), operations: connector.connector.operations)
  }

  /// All files of the package, sorted by their paths: the same for the same project.
  package var files: [GeneratedFile] {
    let name = Self.name(of: connector)
    return [
      GeneratedFile(path: "Package.swift", text: packageText),
      GeneratedFile(path: "README.md", text: readmeText),
      GeneratedFile(path: "Sources/\(name)Client.swift", text: clientText),
      GeneratedFile(path: "Sources/\(name)Keys.swift", text: keysText),
      GeneratedFile(path: "Sources/\(name)Operations.swift", text: operationsText),
    ]
  }

  /// The folder of the package: absolute when that of the connector is.
  package var folder: String {
    let output = generation.outputDirectory
    let parent = output.hasPrefix("/") ? output : "\(connector.folder)/\(output)"
    return "\(parent)/\(generation.package)"
  }

  /// The prefix of generated names: `FriendlyFlix` for the connector `friendly-flix`.
  var name: String { Self.name(of: connector) }

  private static func name(of connector: CompiledProject.Connector) -> String {
    SwiftName.pascalCase(connector.configuration.connectorID)
  }
}

extension CompiledProject {
  /// Returns a generator for each Swift package in the configuration, in its order.
  package func generators(options: GenerationOptions) -> [PackageGenerator] {
    connectors.flatMap { connector in
      connector.configuration.swiftPackages.map { PackageGenerator(self, connector, $0, options: options) }
    }
  }
}

/// A file of a generated package.
package struct GeneratedFile: Sendable, Hashable {
  /// Relative to the folder of the package.
  package let path: String
  package let text: String
}

/// What a generated package has to know of this one.
package struct GenerationOptions: Sendable, Hashable {
  /// The element of `dependencies` that finds the package with the product `DataConnect`.
  let dependency: String
  /// What the package manager calls that package.
  let dependencyName: String

  /// - Parameters:
  ///   - dependencyPath: the folder of the package with the product `DataConnect`: absolute, or relative to the folder of
  ///     the generated package.
  ///   - dependencyName: what that package is called; the last component of the path where nothing else is said.
  package init(dependencyPath: String, dependencyName: String? = nil) {
    let path = SwiftName.literal(dependencyPath)
    let name = dependencyName.map { "name: \(SwiftName.literal($0)), " } ?? ""
    dependency = ".package(\(name)path: \(path))"
    let last = dependencyPath.pathParts().last.map(String.init)
    self.dependencyName = dependencyName ?? last ?? dependencyPath
  }

  /// - Parameters:
  ///   - dependencyURL: the repository of the package with the product `DataConnect`, whose branch `main` is used.
  ///   - dependencyName: the last component of the address, without `.git`.
  package init(dependencyURL: String, dependencyName: String) {
    dependency = ".package(url: \(SwiftName.literal(dependencyURL)), branch: \"main\")"
    self.dependencyName = dependencyName
  }
}
