extension ValidationRule {
  /// A value that is written is one of the type that is wanted there.
  static let valuesOfCorrectType = ValidationRule(name: "ValuesOfCorrectType") { input, errors in
    for use in input.uses.values where !errors.isFull { check(use.node, use.type, input.schema, &errors) }
  }

  private static func check(
    _ value: ValueNode, _ type: TypeNode, _ schema: GraphQLSchema, _ errors: inout ErrorList
  ) {
    if case .variable = value.kind { return }
    switch type {
    case .nonNull(let inner):
      if value.kind == .null {
        fault(
          "null is not a value of the type \(GraphQLPrinter.text(of: type).shownInError).", "Write a value.", value,
          &errors)
      } else {
        check(value, inner, schema, &errors)
      }
    case _ where value.kind == .null: break
    case .list(let inner, _):
      // A single value stands for a list of one.
      guard case .list(let values) = value.kind else { return check(value, inner, schema, &errors) }
      for value in values { check(value, inner, schema, &errors) }
    case .named(let name):
      guard let type = schema.type(name.text) else { return }
      switch type.kind {
      case .inputObject: object(value, type, schema, &errors)
      case .enumeration: enumeration(value, type, &errors)
      case .scalar: scalar(value, type, schema, &errors)
      default: break
      }
    }
  }

  private static func fault(_ message: String, _ fix: String?, _ value: ValueNode, _ errors: inout ErrorList) {
    errors.add(message, fix: fix, code: "ValuesOfCorrectType", at: value.position)
  }

  private static func object(
    _ value: ValueNode, _ type: SchemaType, _ schema: GraphQLSchema, _ errors: inout ErrorList
  ) {
    guard case .object(let fields) = value.kind else {
      return fault("The type \(type.name.quoted) wants an object, not \(value.words).", "Write { … }.", value, &errors)
    }
    for field in fields {
      guard let definition = type.input(field.name.text) else {
        errors.add(
          "There is no field \(field.name.text.quoted) in the type \(type.name.quoted).",
          fix: suggestion(for: field.name.text, among: type.inputs.map(\.name.text)), code: "ValuesOfCorrectType",
          at: field.name.position)
        continue
      }
      check(field.value, definition.type, schema, &errors)
    }
    for input in type.inputs where input.isRequired && fields[input.name.text] == nil {
      fault(
        "The field \(input.name.text.quoted) of the type \(type.name.quoted) is missing.",
        "Write \(input.name.text.shownInError): and a value of the type "
          + "\(GraphQLPrinter.text(of: input.type).shownInError).", value, &errors)
    }
  }

  private static func enumeration(_ value: ValueNode, _ type: SchemaType, _ errors: inout ErrorList) {
    let names = type.values.map(\.name.text)
    switch value.kind {
    case .enumeration(let name):
      if type.value(name) != nil { return }
      fault(
        "There is no value \(name.quoted) in the enumeration \(type.name.quoted).", suggestion(for: name, among: names),
        value, &errors)
    case .string(let text, _) where type.value(text) != nil:
      fault(
        "The enumeration \(type.name.quoted) wants a name, not a string.", "Write it without quotes.", value, &errors)
    default:
      fault(
        "The enumeration \(type.name.quoted) wants one of its names, not \(value.words).",
        "There are \(names.prefix(10).joined(separator: ", ").shownInError).", value, &errors)
    }
  }

  private static func scalar(
    _ value: ValueNode, _ type: SchemaType, _ schema: GraphQLSchema, _ errors: inout ErrorList
  ) {
    do throws(GraphQLError) {
      _ = try InputCoercion.scalar(value, type.name, schema, variables: nil)
    } catch {
      fault(error.message, error.fix, value, &errors)
    }
  }
}

extension ValueNode {
  /// For messages: what kind of value it is.
  var words: String {
    switch kind {
    case .variable(let name): "the variable $\(name.shownInError)"
    case .integer(let digits), .float(let digits): digits.shownInError
    case .string: "a string"
    case .boolean(let value): value ? "true" : "false"
    case .null: "null"
    case .enumeration(let name): "the name \(name.shownInError)"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

extension ValidationRule {
  /// A field of an input object is given once.
  static let uniqueInputFieldNames = ValidationRule(name: "UniqueInputFieldNames") { input, errors in
    for fields in input.uses.objects where fields.count > 1 {
      var seen: [String: NameNode] = [:]
      for field in fields {
        if let first = seen[field.name.text] {
          errors.add(
            "The field \(field.name.text.quoted) is given more than once.", fix: "Remove one.",
            code: "UniqueInputFieldNames", at: [field.name.position, first.position])
        } else {
          seen[field.name.text] = field.name
        }
      }
    }
  }
}
