package import GraphQL

/// Who may call an operation.
package struct OperationAccess: Sendable, Hashable {
  package enum Grant: Sendable, Hashable {
    case level(Level)
    /// An expression in CEL.
    case expression(String)
  }

  package enum Level: String, Sendable, Hashable, CaseIterable {
    case everybody = "PUBLIC"
    case anybodyWithToken = "USER_ANON"
    case user = "USER"
    case verifiedUser = "USER_EMAIL_VERIFIED"
    case nobody = "NO_ACCESS"
  }

  package let grant: Grant
  package let insecureReason: String?
}

/// What has to be true of a value.
package struct CheckRule: Sendable, Hashable {
  /// An expression in CEL in which the value is `this`.
  package let expression: String
  package let message: String
  /// Whether it holds where the value is not reached.
  package let isOptional: Bool
  package let position: SourcePosition

  package static let defaultExpression = "!(this in [null, []])"
  package static let defaultMessage = "permission denied"
}

/// When those who listen to a query get it anew.
package enum RefreshRule: Sendable, Hashable {
  /// Again and again, after so many milliseconds.
  case every(milliseconds: Int)
  /// After a mutation, where the condition in CEL holds.
  case mutation(name: String, condition: String?)
}

/// What may be written through a variable.
package struct AllowRule: Sendable, Hashable {
  /// `nil` where nothing is said.
  package let fields: [AllowedField]?
  package let maxCount: Int?
}

/// A field that may be written, and those of rows inside of it.
package struct AllowedField: Sendable, Hashable {
  package let name: String
  package let fields: [AllowedField]
}

/// Says that something is kept for clients that have been shipped.
package struct Retirement: Sendable, Hashable {
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

  /// What `@skip` and `@include` among them say.
  var conditions: [FieldCondition] {
    compactMap { node in
      guard ["skip", "include"].contains(node.name.text), let value = node.arguments["if"] else { return nil }
      return FieldCondition(value: value, expected: node.name.text == "include")
    }
  }
}
