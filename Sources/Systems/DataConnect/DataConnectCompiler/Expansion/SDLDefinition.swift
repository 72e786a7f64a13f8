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
