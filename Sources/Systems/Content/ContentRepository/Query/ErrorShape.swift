import GraphQL
import JSON

/// Converts errors to the form in which AEM sends them.
enum ErrorShape {
  /// The stage of a query in which an error occurred.
  enum Stage {
    case reading, checking, variables, execution
  }

  /// - Parameter types: the types of the operation's variables, as they are written.
  static func json(_ error: GraphQLError, _ stage: Stage, types: [String: String] = [:]) -> JSONValue {
    var object: JSONObject = ["message": .string(stage == .variables ? variable(error, types) : message(error, stage))]
    object["locations"] = .array(error.locations.map { ["line": JSONValue($0.line), "column": JSONValue($0.column)] })
    if let path = error.path, !path.isEmpty { object["path"] = .array(path.map(\.json)) }
    object["extensions"] = ["classification": .string(classification(error, stage))]
    return .object(object)
  }

  private static func classification(_ error: GraphQLError, _ stage: Stage) -> String {
    switch stage {
    case .reading: "InvalidSyntax"
    case .checking, .variables: "ValidationError"
    case .execution: error.code == "Limits" ? "ExecutionAborted" : "DataFetchingException"
    }
  }

  private static func message(_ error: GraphQLError, _ stage: Stage) -> String {
    switch stage {
    case .reading:
      let place = error.locations.first.map { " at line \($0.line) column \($0.column)" } ?? ""
      return "Invalid syntax\(place): \(error.sentences)"
    case .checking: return "Validation error (\(kinds[error.code] ?? error.code)) : \(error.sentences)"
    case .variables: return error.sentences
    case .execution:
      let path = (error.path ?? []).map { element in
        switch element {
        case .name(let name): "/\(name)"
        case .index(let index): "[\(index)]"
        }
      }.joined()
      return "Exception while fetching data (\(path)) : \(error.sentences)"
    }
  }

  /// Returns the problem of a variable in AEM's words: `Variable 'limit' has an invalid value: …`.
  private static func variable(_ error: GraphQLError, _ types: [String: String]) -> String {
    guard error.message.hasPrefix("$"), let colon = error.message.firstIndex(of: ":") else { return error.sentences }
    let place = error.message[..<colon].dropFirst()
    let name = String(place.prefix { $0 != "." && $0 != "[" })
    let rest = error.message[error.message.index(after: colon)...].drop { $0 == " " }
    if let type = types[name], place == name, type.hasSuffix("!"),
      rest.hasSuffix("is missing.") || rest.hasPrefix("null ")
    {
      return "Variable '\(name)' has coerced Null value for NonNull type '\(type)'"
    }
    return "Variable '\(place)' has an invalid value: \(error.fix.map { "\(rest) \($0)" } ?? String(rest))"
  }

  /// AEM's names of the rules of validation.
  private static let kinds = [
    "FieldsOnCorrectType": "FieldUndefined", "KnownArgumentNames": "UnknownArgument",
    "ValuesOfCorrectType": "WrongType", "NoUndefinedVariables": "UndefinedVariable",
    "NoUnusedVariables": "UnusedVariable", "KnownTypeNames": "UnknownType", "ScalarLeafs": "SubselectionRequired",
    "ProvidedRequiredArguments": "MissingFieldArgument", "VariablesInAllowedPosition": "VariableTypeMismatch",
    "KnownFragmentNames": "UndefinedFragment", "NoUnusedFragments": "UnusedFragment",
    "PossibleFragmentSpreads": "InvalidFragmentType", "NoFragmentCycles": "FragmentCycle",
    "OverlappingFieldsCanBeMerged": "FieldsConflict", "KnownDirectives": "UnknownDirective",
    "UniqueDirectivesPerLocation": "DuplicateDirectiveName", "UniqueOperationNames": "DuplicateOperationName",
    "UniqueArgumentNames": "DuplicateArgumentNames", "UniqueVariableNames": "DuplicateVariableName",
    "UniqueFragmentNames": "DuplicateFragmentName", "LoneAnonymousOperation": "LoneAnonymousOperationViolation",
    "ExecutableDefinitions": "NonExecutableDefinition",
    "FragmentsOnCompositeTypes": "InlineFragmentTypeConditionInvalid",
    "VariablesAreInputTypes": "NonInputTypeOnVariable", "UniqueInputFieldNames": "DuplicateInputField",
    "SingleFieldSubscriptions": "SubscriptionMultipleRootFields",
  ]
}
