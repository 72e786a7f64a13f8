import DataConnectCompiler
import GraphQL
import Text

/// An operation that is ready to run.
struct DeployedOperation: Sendable {
  let operation: CompiledOperation
  let fields: [FieldPlan]
  /// The texts that its positions point into.
  let sources: [GraphQLSource]
  /// Whether an expression of it asks for what earlier fields came to.
  let usesResponse: Bool
  /// Whether the result depends on the caller's identity, and not only the permission to execute.
  let usesAuth: Bool

  /// Whether everybody may, since an administrator wrote it and says nothing else.
  let isOpen: Bool

  init(
    _ operation: CompiledOperation, _ connector: CompiledConnector, _ expressions: ExpressionTable,
    isAdministrative: Bool = false
  ) {
    self.operation = operation
    isOpen = isAdministrative && operation.node.directives["auth"] == nil
    fields = operation.fields.map { FieldPlan(root: $0, of: operation.kind, connector.schema) }
    sources = connector.document.sources
    let texts = ExpressionTable.texts(of: operation)
    let used = texts.compactMap { expressions[$0] }
    usesResponse = used.contains(where: \.usesResponse)
    usesAuth = used.contains(where: \.usesAuth) || used.count < texts.count
  }

  var name: String { operation.name }
  var isMutation: Bool { operation.kind == .mutation }

  /// - Returns: why a caller may not; `nil` when it may.
  func refusal(of caller: OperationCaller, _ scope: ExpressionScope) -> RequestFailure? {
    isOpen ? nil : operation.access.refusal(of: caller, scope)
  }
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

  /// - Parameter name: of a client, whose bytes count.
  func operation(_ name: String) -> DeployedOperation? {
    operations[name].flatMap { $0.name.hasBytes(of: name) ? $0 : nil }
  }
  var all: [DeployedOperation] { compiled.operations.compactMap { operations[$0.name] } }
}
