package import JSON
import Text

extension OperationNode {
  /// The values of the operation's variables, of what a client has sent; names that it does not know are passed over.
  ///
  /// - Throws: every value that does not fit.
  package func values(
    of given: JSONObject, _ schema: GraphQLSchema, _ sources: [GraphQLSource], limits: GraphQLLimits
  ) throws(GraphQLErrors) -> JSONObject {
    try VariableCoercion.values(self, given, schema, sources, limits)
  }
}

/// Makes the values of an operation's variables of what a request has. Names that the operation does not know are
/// passed over.
struct VariableCoercion {
  private let schema: GraphQLSchema
  private let limits: GraphQLLimits
  private var errors: ErrorList
  private var stepsLeft: Int
  private var path: [GraphQLError.PathElement] = []
  private var variable = ""
  private var position = SourcePosition.none

  private init(_ schema: GraphQLSchema, _ sources: [GraphQLSource], _ limits: GraphQLLimits) {
    self.schema = schema
    self.limits = limits
    errors = ErrorList(sources: sources, limit: limits.errors)
    stepsLeft = limits.steps
  }

  /// - Throws: every value that does not fit, with its path: `$filter.expr[0].value`.
  static func values(
    _ operation: OperationNode, _ given: JSONObject, _ schema: GraphQLSchema, _ sources: [GraphQLSource],
    _ limits: GraphQLLimits
  ) throws(GraphQLErrors) -> JSONObject {
    var coercion = VariableCoercion(schema, sources, limits)
    var values = JSONObject()
    for variable in operation.variables {
      if let value = coercion.value(of: variable, given) { values[variable.name.text] = value }
    }
    if !coercion.errors.errors.isEmpty { throw GraphQLErrors(coercion.errors.errors) }
    return values
  }

  private mutating func value(of node: VariableNode, _ given: JSONObject) -> JSONValue? {
    (variable, position) = (node.name.text, node.position)
    guard let value = given[variable] else {
      if let value = node.defaultValue {
        do throws(GraphQLError) {
          return try InputCoercion.value(value, node.type, schema, variables: [:])
        } catch {
          fault(error.message, error.fix)
          return nil
        }
      }
      if node.type.isNonNull {
        fault(
          "The variable is missing.", "Give it a value of the type \(GraphQLPrinter.text(of: node.type).shownInError).")
      }
      return nil
    }
    return self.value(value, node.type)
  }

  private mutating func fault(_ message: String, _ fix: String?) {
    let place = "$\(variable.shownInError)\(path.suffix)"
    errors.add("\(place): \(message)", fix: fix, code: "Variables", at: position)
  }

  private mutating func inside<Result>(_ element: GraphQLError.PathElement, _ body: (inout Self) -> Result) -> Result {
    path.append(element)
    defer { path.removeLast() }
    return body(&self)
  }

  private mutating func value(_ value: JSONValue, _ type: TypeNode) -> JSONValue {
    stepsLeft -= 1
    guard stepsLeft >= 0, !errors.isFull else {
      if stepsLeft == -1 { fault("The variables have more than \(limits.steps) values.", nil) }
      return .null
    }
    guard path.count <= limits.depth else {
      fault("The value is nested deeper than \(limits.depth) levels.", nil)
      return .null
    }
    switch type {
    case .nonNull(let inner):
      if value.isNull {
        fault("null is not a value of the type \(GraphQLPrinter.text(of: type).shownInError).", nil)
        return .null
      }
      return self.value(value, inner)
    case _ where value.isNull: return .null
    case .list(let inner, _):
      guard case .array(let values) = value else { return .array([self.value(value, inner)]) }
      return .array(
        values.enumerated().map { index, value in inside(.index(index)) { $0.value(value, inner) } })
    case .named(let name): return named(value, name.text)
    }
  }

  private mutating func named(_ value: JSONValue, _ name: String) -> JSONValue {
    guard let type = schema.type(name) else {
      fault("There is no type \(name.quoted).", nil)
      return .null
    }
    switch type.kind {
    case .inputObject: return object(value, type)
    case .enumeration:
      guard case .string(let word) = value else {
        fault("The enumeration \(name.quoted) wants one of its names, not \(value.shown).", nil)
        return .null
      }
      if type.value(word) == nil {
        fault(
          "There is no value \(word.quoted) in the enumeration \(name.quoted).",
          suggestion(for: word, among: type.values.map(\.name.text)))
      }
      return value
    default:
      do throws(GraphQLError) {
        return try schema.scalar(name).input(value)
      } catch {
        fault(error.message, error.fix)
        return .null
      }
    }
  }

  private mutating func object(_ value: JSONValue, _ type: SchemaType) -> JSONValue {
    guard case .object(let given) = value else {
      fault("The type \(type.name.quoted) wants an object, not \(value.shown).", nil)
      return .null
    }
    var object = JSONObject()
    for (name, value) in given {
      inside(.name(name)) { coercion in
        if let definition = type.input(name) {
          object[name] = coercion.value(value, definition.type)
        } else {
          coercion.fault(
            "There is no such field in the type \(type.name.quoted).",
            suggestion(for: name, among: type.inputs.map(\.name.text)))
        }
      }
    }
    for input in type.inputs where given[input.name.text] == nil {
      if let value = input.defaultValue {
        object[input.name.text] = (try? InputCoercion.value(value, input.type, schema, variables: [:])) ?? .null
      } else if input.type.isNonNull {
        inside(.name(input.name.text)) { coercion in
          coercion.fault(
            "The field is missing.", "It is of the type \(GraphQLPrinter.text(of: input.type).shownInError).")
        }
      }
    }
    return .object(object)
  }
}
