import DataConnectCompiler
import GraphQL
import JSON

/// Applies `@check` and `@redact` to the value of a field.
struct FieldChecks {
  let scope: ExpressionScope

  /// Returns the error of the first failing check, at the field itself or below it.
  ///
  /// - Parameter value: the value; `nil` when the field was not reached, because it was skipped or its parent is null
  ///   or an empty list.
  func failure(
    of value: JSONValue?, _ plan: FieldPlan, _ path: [GraphQLError.PathElement]
  ) -> OperationError? {
    guard plan.hasChecks else { return nil }
    for check in plan.field.checks {
      let isFine = value.map { scope.holds(check.expression, this: $0) } ?? check.isOptional
      if !isFine { return Self.failure(check.message, path) }
    }
    switch value {
    case .object(let object): return inside(object, plan, path)
    case .array(let values) where !values.isEmpty:
      for (index, value) in values.enumerated() {
        if let failure = inside(value.objectValue, plan, path + [.index(index)]) { return failure }
      }
      return nil
    default: return inside(nil, plan, path)
    }
  }

  private func inside(
    _ object: JSONObject?, _ plan: FieldPlan, _ path: [GraphQLError.PathElement]
  ) -> OperationError? {
    for field in plan.fields where field.hasChecks {
      if let failure = failure(of: object?[field.name], field, path + [.name(field.name)]) { return failure }
    }
    return nil
  }

  static func failure(_ message: String, _ path: [GraphQLError.PathElement]) -> OperationError {
    var error = OperationError(.permissionDenied, message, path: path)
    error.isCheck = true
    return error
  }

  /// The value without what is redacted in it.
  static func redacted(_ value: JSONValue, _ plan: FieldPlan) -> JSONValue {
    guard plan.hasRedactions else { return value }
    switch value {
    case .array(let values): return .array(values.map { redacted($0, plan) })
    case .object(var object):
      for field in plan.fields {
        if field.field.isRedacted {
          object[field.name] = nil
        } else if field.hasRedactions, let inner = object[field.name] {
          object[field.name] = redacted(inner, field)
        }
      }
      return .object(object)
    default: return value
    }
  }
}
