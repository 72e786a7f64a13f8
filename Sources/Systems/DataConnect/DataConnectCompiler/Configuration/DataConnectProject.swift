import Files
package import GraphQL
import Text

/// The source files of a service: its configuration, its schema and its connectors.
package struct DataConnectProject: Sendable {
  /// The folder with `dataconnect.yaml`.
  package let folder: String
  /// The content of `dataconnect.yaml`.
  package let configuration: ServiceConfiguration
  /// The files of the schema, sorted by path.
  package let schema: [GraphQLSource]
  /// The connectors that could be read, in the order of `dataconnect.yaml`.
  package let connectors: [Connector]

  /// A connector as its files describe it.
  package struct Connector: Sendable {
    /// The folder with `connector.yaml`.
    package let folder: String
    /// The content of `connector.yaml`.
    package let configuration: ConnectorConfiguration
    /// The files with operations, sorted by path.
    package let sources: [GraphQLSource]
  }

  /// The result of reading a service.
  package struct Result: Sendable {
    /// The service; `nil` when its configuration could not be read.
    package let project: DataConnectProject?
    /// The problems found while reading, in the order of the files.
    package let problems: [CompilerProblem]
  }

  private static let configurationBytes = 256 << 10

  /// Reads the configuration in a folder and the files that it names.
  package static func read(_ folder: String) -> Result {
    let folder = folder.plainPath
    var problems: [CompilerProblem] = []
    guard var file = open("dataconnect.yaml", in: folder, &problems) else {
      return Result(project: nil, problems: problems)
    }
    let service = file.service()
    problems += file.problems
    guard let service else { return Result(project: nil, problems: problems) }
    let schemaFolder = Folder.path(service.schemaSource, in: folder).plainPath
    let schema = SourceDiscovery.read(schemaFolder, into: &problems)
    if !Folder.isFolder(schemaFolder) {
      note(
        "There is no folder \(schemaFolder.quoted) for the schema.", "Make it, or change schema.source.", file,
        &problems)
    }
    var connectors: [Connector] = []
    for directory in service.connectorDirectories {
      let path = Folder.path(directory, in: folder).plainPath
      guard let connector = connector(path, &problems) else { continue }
      let id = connector.configuration.connectorID
      if let other = connectors.first(where: { $0.configuration.connectorID == id }) {
        note(
          "The connectors in \(other.folder.quoted) and \(path.quoted) are both called \(id.quoted).", "Rename one.",
          file, &problems)
      }
      connectors.append(connector)
    }
    return Result(
      project: DataConnectProject(folder: folder, configuration: service, schema: schema, connectors: connectors),
      problems: problems)
  }

  private static func connector(_ folder: String, _ problems: inout [CompilerProblem]) -> Connector? {
    guard var file = open("connector.yaml", in: folder, &problems) else { return nil }
    let configuration = file.connector()
    problems += file.problems
    let sources = SourceDiscovery.read(folder, into: &problems)
    return configuration.map { Connector(folder: folder, configuration: $0, sources: sources) }
  }

  private static func open(
    _ name: String, in folder: String, _ problems: inout [CompilerProblem]
  ) -> ConfigurationFile? {
    let path = Folder.path(name, in: folder).plainPath
    do {
      return ConfigurationFile(try File.read(path, limit: configurationBytes), name: path)
    } catch {
      let location = SourceLocation(file: path, line: 1, column: 1)
      problems.append(
        CompilerProblem(
          .error, error.message, fix: error.recovery ?? "Write the file.", code: ConfigurationFile.code, at: location))
      return nil
    }
  }

  private static func note(
    _ message: String, _ fix: String, _ file: ConfigurationFile, _ problems: inout [CompilerProblem]
  ) {
    let location = SourceLocation(file: file.name, line: 1, column: 1)
    problems.append(CompilerProblem(.error, message, fix: fix, code: ConfigurationFile.code, at: location))
  }
}
