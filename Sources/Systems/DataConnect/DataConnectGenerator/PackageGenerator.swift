package import DataConnectCompiler

/// Makes the Swift package of a connector.
package struct PackageGenerator: Sendable {
  let service: ServiceConfiguration
  let schema: CompiledSchema
  let connector: CompiledProject.Connector
  let generation: SwiftGeneration
  let options: GenerationOptions
  let types: TypeNames

  /// - Parameters:
  ///   - project: what was compiled.
  ///   - connector: one of its connectors.
  ///   - generation: one of the packages that its configuration asks for.
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

  /// What generated names begin with: `FriendlyFlix` for the connector `friendly-flix`.
  var name: String { Self.name(of: connector) }

  private static func name(of connector: CompiledProject.Connector) -> String {
    SwiftName.pascalCase(connector.configuration.connectorID)
  }
}

extension CompiledProject {
  /// What makes each Swift package that the configuration asks for, in its order.
  package func generators(options: GenerationOptions) -> [PackageGenerator] {
    connectors.flatMap { connector in
      connector.configuration.swiftPackages.map { PackageGenerator(self, connector, $0, options: options) }
    }
  }
}
