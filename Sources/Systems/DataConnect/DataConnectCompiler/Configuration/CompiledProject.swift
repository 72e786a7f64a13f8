/// A service whose schema and connectors were compiled without an error.
package struct CompiledProject: Sendable {
  /// The files that were compiled.
  package let project: DataConnectProject
  /// The compiled schema, against which the connectors were checked.
  package let schema: CompiledSchema
  /// The compiled connectors, in the order of the project.
  package let connectors: [Connector]

  /// A connector of the project with its compiled operations.
  package struct Connector: Sendable {
    /// The folder with `connector.yaml`.
    package let folder: String
    /// What `connector.yaml` configures.
    package let configuration: ConnectorConfiguration
    /// The compiled operations.
    package let connector: CompiledConnector
  }

  /// The result of compiling a service.
  package struct Result: Sendable {
    /// The compiled service; `nil` when a problem is an error.
    package let project: CompiledProject?
    /// Every problem: of the configuration, of the schema, and of each connector.
    package let problems: [CompilerProblem]
  }

  /// Reads and compiles the service in a folder.
  package static func compile(_ folder: String) -> Result {
    let read = DataConnectProject.read(folder)
    guard let project = read.project else { return Result(project: nil, problems: read.problems) }
    return compile(project, read.problems)
  }

  /// Compiles a service that has been read.
  package static func compile(_ project: DataConnectProject, _ earlier: [CompilerProblem] = []) -> Result {
    let schema = SchemaCompiler.compile(project.schema)
    var problems = earlier + schema.problems
    guard let compiled = schema.schema else { return Result(project: nil, problems: problems) }
    var connectors: [Connector] = []
    for connector in project.connectors {
      let result = ConnectorCompiler.compile(connector.sources, against: compiled)
      problems += result.problems
      guard let operations = result.connector else { continue }
      connectors.append(
        Connector(folder: connector.folder, configuration: connector.configuration, connector: operations))
    }
    if problems.contains(where: { $0.severity == .error }) { return Result(project: nil, problems: problems) }
    return Result(
      project: CompiledProject(project: project, schema: compiled, connectors: connectors), problems: problems)
  }
}
