import DataConnectCompiler
import GraphQL

/// An operation that is ready to run.
struct DeployedOperation: Sendable {
  let operation: CompiledOperation
  let fields: [FieldPlan]
  /// The texts that its positions point into.
  let sources: [GraphQLSource]
  /// Whether an expression of it asks for what earlier fields came to.
  let usesResponse: Bool
  /// Whether the result depends on who asks, and not only on whether somebody may.
  let usesAuth: Bool

  init(_ operation: CompiledOperation, _ connector: CompiledConnector, _ expressions: ExpressionTable) {
    self.operation = operation
    fields = operation.fields.map { FieldPlan(root: $0, of: operation.kind, connector.schema) }
    sources = connector.document.sources
    let texts = ExpressionTable.texts(of: operation)
    let used = texts.compactMap { expressions[$0] }
    usesResponse = used.contains(where: \.usesResponse)
    usesAuth = used.contains(where: \.usesAuth) || used.count < texts.count
  }

  var name: String { operation.name }
  var isMutation: Bool { operation.kind == .mutation }
}

/// A connector that is ready to be called.
struct DeployedConnector: Sendable {
  let id: String
  let compiled: CompiledConnector
  private let operations: [String: DeployedOperation]

  init(id: String, _ compiled: CompiledConnector, _ expressions: ExpressionTable) {
    self.id = id
    self.compiled = compiled
    operations = Dictionary(
      compiled.operations.map { ($0.name, DeployedOperation($0, compiled, expressions)) }
    ) { first, _ in first }
  }

  func operation(_ name: String) -> DeployedOperation? { operations[name] }
  var all: [DeployedOperation] { compiled.operations.compactMap { operations[$0.name] } }
}
