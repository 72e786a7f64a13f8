import DataConnectCompiler
import GraphQL

/// A project whose expressions have been read too.
struct DeployedProject: Sendable {
  let project: CompiledProject
  let connectors: [DeployedConnector]
  let expressions: ExpressionTable

  struct Result: Sendable {
    /// `nil` when there is an error.
    let project: DeployedProject?
    let problems: [CompilerProblem]
  }

  /// Reads and compiles the project in a folder. Blocks.
  static func read(_ folder: String) -> Result {
    let result = CompiledProject.compile(folder)
    guard let project = result.project else { return Result(project: nil, problems: result.problems) }
    var expressions = ExpressionTable()
    expressions.add(project.schema)
    for connector in project.connectors { expressions.add(connector.connector) }
    let problems = result.problems + expressions.problems
    guard expressions.problems.isEmpty else { return Result(project: nil, problems: problems) }
    let connectors = project.connectors.map {
      DeployedConnector(id: $0.configuration.connectorID, $0.connector, expressions)
    }
    return Result(
      project: DeployedProject(project: project, connectors: connectors, expressions: expressions), problems: problems)
  }

  /// Returns the changes that break clients of the previous deployment.
  func breaking(_ before: Deployment?) -> [BreakingChange] {
    guard let before else { return [] }
    return before.connectors.values.sorted { $0.id < $1.id }.flatMap { old in
      guard let new = connectors.first(where: { $0.id == old.id }) else {
        return [
          BreakingChange(
            operation: nil, message: "The connector \"\(old.id)\" is gone.",
            fix: "Keep it as long as there are clients that call it.", location: nil)
        ]
      }
      return BreakingChange.between(old.compiled, and: new.compiled)
    }
  }
}
