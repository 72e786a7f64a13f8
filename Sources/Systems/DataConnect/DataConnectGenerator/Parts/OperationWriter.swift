import DataConnectCompiler
import GraphQL

/// Writes the class of an operation.
struct OperationWriter {
  let operation: CompiledOperation
  /// The class.
  let name: String
  let types: TypeNames
  let schema: CompiledSchema
  let publisher: SwiftGeneration.Publisher

  private var isQuery: Bool { operation.kind == .query }
  var variables: [VariableParameter] {
    let storage = Set(operation.variables.filter { !$0.isRequired }.map { "_\($0.name)" })
    return operation.variables.map { VariableParameter($0, types, storage: storage) }
  }
  private var hasOptional: Bool { operation.variables.contains { !$0.isRequired } }

  private var reference: String {
    if !isQuery { return "MutationRef" }
    return publisher == .observableMacro ? "QueryRefObservation" : "QueryRefObservableObject"
  }

  func write(_ code: inout CodeWriter) {
    let retired = operation.retirement.map { _ in " It is retired." } ?? ""
    code.comment("The \(operation.kind.rawValue) `\(operation.name)`.\(retired)")
    code.block("public final class \(name): Sendable") { code in
      code.line("let dataConnect: DataConnect")
      code.line()
      code.line("init(dataConnect: DataConnect) { self.dataConnect = dataConnect }")
      code.line()
      code.comment("What the connector calls it.")
      code.line("public static let OperationName = \(SwiftName.literal(operation.name))")
      code.line()
      code.comment("The \(operation.kind.rawValue) with its variables.")
      code.line("public typealias Ref = \(reference)<Data, Variables>")
      code.line()
      writeVariables(&code)
      code.line()
      writeRef(&code)
      code.line()
      writeExecute(&code)
      code.line()
      let shape = ShapeBuilder(schema: schema, types: types).shape(of: operation.fields)
      ResultWriter.write(shape, isMutation: !isQuery, &code)
    }
  }

  // MARK: Variables

  private func writeVariables(_ code: inout CodeWriter) {
    code.comment("The variables of the \(operation.kind.rawValue).")
    if variables.isEmpty {
      code.block("public struct Variables: OperationVariable") { code in
        code.comment("There are none.")
        code.line("public init() {}")
      }
      return
    }
    code.block("public struct Variables: OperationVariable") { code in
      for variable in variables {
        code.comment("The variable `$\(variable.wireName)`.")
        let wrapper = variable.isRequired ? "" : "@OptionalVariable "
        code.line("\(wrapper)public var \(variable.property): \(variable.declaredType)")
      }
      code.line()
      code.comment("The variables that are required, and a closure that sets others.")
      code.list("public init", parameters(closure: "((inout Variables) -> Void)?")) { code in
        for variable in variables where variable.isRequired {
          code.line("self.\(variable.property) = \(variable.property)")
        }
        if hasOptional { code.line("\(closureName)?(&self)") }
      }
      code.line()
      writeEncoding(&code)
    }
  }

  private func writeEncoding(_ code: inout CodeWriter) {
    code.block("private enum CodingKeys: String, CodingKey") { code in
      for variable in variables {
        code.line("case \(variable.property) = \(SwiftName.literal(variable.wireName))")
      }
    }
    code.line()
    code.comment("Writes the variables that are set.")
    code.block("public func encode(to encoder: any Encoder) throws") { code in
      code.line("var container = encoder.container(keyedBy: CodingKeys.self)")
      for variable in variables {
        let call = "try container.encode"
        let items = ["self.\(variable.property)", "forKey: .\(variable.property)"]
        if variable.isRequired {
          code.list(call, items)
        } else {
          let head = "if self.$\(variable.bareProperty).isSet"
          code.inlineBlock(head, "\(call)(\(items.joined(separator: ", ")))") { $0.list(call, items) }
        }
      }
    }
  }

  // MARK: Functions

  /// A name for something beside the variables that none of them has.
  private func local(_ name: String) -> String {
    var scope = NameScope(Set(variables.map(\.bareProperty)))
    return scope.take(name)
  }

  private var closureName: String { local("optionalVars") }

  private func parameters(closure: String) -> [String] {
    let required = variables.filter(\.isRequired).map { "\($0.property): \($0.declaredType)" }
    return hasOptional ? required + ["_ \(closureName): \(closure) = nil"] : required
  }

  private var arguments: [String] {
    variables.filter(\.isRequired).map { "\(SwiftName.label($0.bareProperty)): \($0.property)" }
  }

  private func writeRef(_ code: inout CodeWriter) {
    let local = local("variables")
    code.comment("The \(operation.kind.rawValue) with variables, to be executed\(isQuery ? " and observed" : "").")
    code.list("public func ref", parameters(closure: "((inout Variables) -> Void)?"), " -> Ref") { code in
      code.list("let \(local) = Self.Variables", arguments + (hasOptional ? [closureName] : []))
      code.line("return self.reference(\(local))")
    }
    code.line()
    code.block("private func reference(_ variables: Variables) -> Ref") { code in
      let function = isQuery ? (publisher == .observableMacro ? "query" : "observableQuery") : "mutation"
      code.line("dataConnect.\(function)(name: Self.OperationName, variables: variables, resultsDataType: Data.self)")
    }
  }

  private func writeExecute(_ code: inout CodeWriter) {
    let (local, policy) = (local("variables"), local("fetchPolicy"))
    let label = policy == "fetchPolicy" ? policy : "fetchPolicy \(policy)"
    let first = isQuery ? ["\(label): QueryFetchPolicy = .preferCache"] : []
    let rest = parameters(closure: "(@MainActor (inout Variables) -> Void)?")
    code.comment("Executes the \(operation.kind.rawValue) once.")
    code.line("@MainActor")
    code.list("public func execute", first + rest, " async throws -> OperationResult<Data>") { code in
      code.list("\(hasOptional ? "var" : "let") \(local) = Self.Variables", arguments)
      if hasOptional { code.line("\(closureName)?(&\(local))") }
      let argument = isQuery ? "fetchPolicy: \(policy)" : ""
      code.line("return try await self.reference(\(local)).execute(\(argument))")
    }
  }
}

extension PackageGenerator {
  /// The enumerations of the schema and the operations of the connector.
  var operationsText: String {
    var code = CodeWriter()
    code.line()
    code.line("// MARK: Operations")
    for operation in connector.connector.operations {
      code.line()
      let writer = OperationWriter(
        operation: operation, name: typeName(of: operation), types: types, schema: schema,
        publisher: generation.publisher)
      writer.write(&code)
    }
    return head + enumerationsText + code.text
  }
}

/// A variable of an operation as Swift has it.
struct VariableParameter {
  /// Without `$`.
  let wireName: String
  /// What Swift calls it, without back quotes.
  let bareProperty: String
  /// With the `?` of one that need not be given.
  let declaredType: String
  let isRequired: Bool

  var property: String { SwiftName.escaped(bareProperty) }

  /// - Parameter storage: what the wrappers of the operation's variables call what they hold: `_genre`.
  init(_ variable: CompiledVariable, _ types: TypeNames, storage: Set<String>) {
    wireName = variable.name
    let member = SwiftName.member(variable.name)
    bareProperty = storage.contains(member) ? "\(member)_" : member
    isRequired = variable.isRequired
    let text = types.type(variable.type, of: types.base(variable.type.name.text)).text
    declaredType = variable.isRequired ? text : "\(text)?"
  }
}
