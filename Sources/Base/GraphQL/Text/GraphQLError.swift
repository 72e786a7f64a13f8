package import JSON
import Text

/// What is wrong with a document, a schema, a request or its execution.
package struct GraphQLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, as one sentence.
  package var message: String
  /// What to do about it, as one sentence.
  package var fix: String?
  /// What the error violates, as a word for programs: a rule's name, `Syntax`, `Variables`.
  package var code: String
  /// The places that it is about, the most important first.
  package var locations: [SourceLocation]
  /// Where in the response it happened: names of responses and positions in lists.
  package var path: [PathElement]?
  /// What a resolver adds for programs.
  package var extensions: JSONObject

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - message: one sentence that says what is wrong.
  ///   - fix: one sentence that says what to do about it.
  ///   - code: a stable identifier of the sort of error.
  ///   - locations: the places in the document.
  ///   - path: the path of the field in the response, for an error of execution.
  ///   - extensions: further values for the response's `extensions`.
  package init(
    _ message: String, fix: String? = nil, code: String = "Execution", locations: [SourceLocation] = [],
    path: [PathElement]? = nil, extensions: JSONObject = JSONObject()
  ) {
    self.message = message
    self.fix = fix
    self.code = code
    self.locations = locations
    self.path = path
    self.extensions = extensions
  }

  /// One step of a path in a response or in a value.
  package enum PathElement: Sendable, Hashable {
    case name(String)
    case index(Int)
  }

  /// The message and, behind it, what to do.
  package var sentences: String { fix.map { "\(message) \($0)" } ?? message }

  /// The error as `file:line:column: message`.
  package var description: String { (locations.first.map { "\($0): " } ?? "") + sentences }

  /// As a response has it: `message`, `locations`, `path`, `extensions`, the last three where there are any.
  package var json: JSONValue {
    var object: JSONObject = ["message": .string(sentences)]
    if !locations.isEmpty {
      object["locations"] = .array(
        locations.map { ["line": JSONValue($0.line), "column": JSONValue($0.column)] })
    }
    if let path { object["path"] = .array(path.map(\.json)) }
    if !extensions.isEmpty { object["extensions"] = .object(extensions) }
    return .object(object)
  }
}

extension GraphQLError.PathElement {
  /// The element as the response has it: a string or a number.
  package var json: JSONValue {
    switch self {
    case .name(let name): .string(name)
    case .index(let index): JSONValue(index)
    }
  }
}

extension [GraphQLError.PathElement] {
  /// The path as it is written behind the name of a value: `.expr[0].value`.
  package var suffix: String {
    map { element in
      switch element {
      case .name(let name): ".\(name.shownInError)"
      case .index(let index): "[\(index)]"
      }
    }.joined()
  }
}

/// Several errors, thrown together.
package struct GraphQLErrors: Error, Sendable, CustomStringConvertible {
  /// The errors, in the order in which they were found.
  package var errors: [GraphQLError]

  /// Creates one error from several.
  package init(_ errors: [GraphQLError]) { self.errors = errors }

  /// One error on each line.
  package var description: String { errors.map(\.description).joined(separator: "\n") }
}

extension String {
  /// A name inside of a message.
  var quoted: String { "\"\(shownInError)\"" }

  /// A foreign text for an error message: cut, and without characters that a terminal interprets.
  var shownInError: String { shownInMessage() }
}
