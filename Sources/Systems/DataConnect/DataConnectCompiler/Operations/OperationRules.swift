package import GraphQL

/// Which callers may execute an operation, from `@auth`.
package struct OperationAccess: Sendable, Hashable {
  /// The condition on the caller: a fixed level, or an expression.
  package enum Grant: Sendable, Hashable {
    case level(Level)
    /// An expression in CEL that must be true.
    case expression(String)
  }

  /// The levels of `@auth(level:)`, from everyone to no client at all.
  package enum Level: String, Sendable, Hashable, CaseIterable {
    case everybody = "PUBLIC"
    case anybodyWithToken = "USER_ANON"
    case user = "USER"
    case verifiedUser = "USER_EMAIL_VERIFIED"
    case nobody = "NO_ACCESS"
  }

  /// The condition on the caller.
  package let grant: Grant
  /// The developer's reason for access that is wider than usual, from `@auth(insecureReason:)`; `nil` when none is
  /// given.
  package let insecureReason: String?
}

/// A condition on a value, from `@check`.
package struct CheckRule: Sendable, Hashable {
  /// An expression in CEL; `this` is the value.
  package let expression: String
  /// The message of the error when the expression is false.
  package let message: String
  /// Whether the check passes when the value was not reached, such as below an empty list.
  package let isOptional: Bool
  /// Where the directive is written.
  package let position: SourcePosition

  /// The expression that applies when `@check` names none: the value is neither null nor an empty list.
  package static let defaultExpression = "!(this in [null, []])"
  /// The message that applies when `@check` names none.
  package static let defaultMessage = "permission denied"
}

/// When subscribers of a query receive a new result, from `@refresh`.
package enum RefreshRule: Sendable, Hashable {
  /// Repeatedly, after this many milliseconds.
  case every(milliseconds: Int)
  /// After the named mutation, when the condition in CEL is true or absent.
  case mutation(name: String, condition: String?)
}

/// What a client may write through a variable, from `@allow`.
package struct AllowRule: Sendable, Hashable {
  /// The fields that may be written; `nil` when the directive does not limit them.
  package let fields: [AllowedField]?
  /// The most rows that may be written; `nil` for no limit.
  package let maxCount: Int?
}

/// A field that may be written, with the permitted fields of nested rows.
package struct AllowedField: Sendable, Hashable {
  /// The name of the field.
  package let name: String
  /// The permitted fields of the rows in it; empty for a scalar.
  package let fields: [AllowedField]
}

/// Marks something that is kept only for clients that are already shipped, from `@retired`.
package struct Retirement: Sendable, Hashable {
  /// The developer's reason; `nil` when none is given.
  package let reason: String?
}

extension [DirectiveNode] {
  /// The checks among them.
  var checks: [CheckRule] {
    filter { $0.name.text == "check" }.map { node in
      var isOptional = false
      if case .boolean(let truth) = node.arguments["optional"]?.kind { isOptional = truth }
      return CheckRule(
        expression: node.text("expr") ?? CheckRule.defaultExpression,
        message: node.text("message") ?? CheckRule.defaultMessage, isOptional: isOptional, position: node.position)
    }
  }

  var retirement: Retirement? { self["retired"].map { Retirement(reason: $0.text("reason")) } }

  /// The conditions of `@skip` and `@include` among the directives.
  var conditions: [FieldCondition] {
    compactMap { node in
      guard ["skip", "include"].contains(node.name.text), let value = node.arguments["if"] else { return nil }
      return FieldCondition(value: value, expected: node.name.text == "include")
    }
  }
}
