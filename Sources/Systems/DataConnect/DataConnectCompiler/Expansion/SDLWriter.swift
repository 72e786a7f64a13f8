/// Writes generated definitions in the form of the files that are checked in: descriptions as blocks, arguments one below
/// the other with empty lines between them, definitions without.
struct SDLWriter {
  /// Whether nothing is written but what an operation is checked against.
  let isBare: Bool
  private(set) var text = ""

  init(isBare: Bool) { self.isBare = isBare }

  static func text(of definitions: [SDLDefinition], isBare: Bool = false) -> String {
    var writer = SDLWriter(isBare: isBare)
    for definition in definitions { writer.write(definition) }
    return writer.text
  }

  private mutating func write(_ definition: SDLDefinition) {
    switch definition {
    case .extendType(let name, let fields):
      if fields.isEmpty { return }
      text += "extend type \(name) {\n"
      for field in fields { write(field) }
      text += "}\n"
    case .scalar(let name, let description):
      describe(description, "")
      text += "scalar \(name)\n"
    case .input(let name, let description, let inputs):
      describe(description, "")
      text += "input \(name) {\n"
      for input in inputs { write(input, "  ") }
      text += "}\n"
    }
  }

  private mutating func write(_ field: SDLField) {
    describe(field.description, "  ")
    text += "  \(field.name)"
    if !field.arguments.isEmpty {
      text += "(\n"
      for (index, argument) in field.arguments.enumerated() {
        if index > 0, !isBare { text += "\n" }
        write(argument, "    ")
      }
      text += "  )"
    }
    text += ": \(field.type)\(field.directives)"
    if !isBare { text += " @fdc_generated(from: \"\(field.from)\", purpose: \(field.purpose))" }
    text += "\n"
  }

  private mutating func write(_ input: SDLInput, _ indentation: String) {
    describe(input.description, indentation)
    text += "\(indentation)\(input.name): \(input.type)\(input.defaultValue.map { " = \($0)" } ?? "")"
    text += input.isForbiddenInVariables ? " @fdc_forbiddenInVariables\n" : "\n"
  }

  private mutating func describe(_ description: String, _ indentation: String) {
    if isBare { return }
    text += "\(indentation)\"\"\"\n"
    for line in description.split(separator: "\n", omittingEmptySubsequences: false) {
      text += line.isEmpty ? "\n" : "\(indentation)\(line)\n"
    }
    text += "\(indentation)\"\"\"\n"
  }
}

/// A definition that is generated.
enum SDLDefinition {
  /// More fields for a type.
  case extendType(String, [SDLField])
  case scalar(String, description: String)
  case input(String, description: String, [SDLInput])
}

/// A field of a type.
struct SDLField {
  let name: String
  var arguments: [SDLInput] = []
  let type: String
  /// Directives that are neither of the generation.
  var directives = ""
  /// What it is generated of, and for what.
  let from: String
  let purpose: String
  let description: String
}

/// An argument, or a field of an input object.
struct SDLInput {
  let name: String
  let type: String
  var defaultValue: String?
  var isForbiddenInVariables = false
  let description: String
}
