package import JSON
import Text

/// One of the errors that GraphQL gave beside the data, or in its place (GraphQL, 7.1.2).
package struct QueryError: Equatable, Sendable, CustomStringConvertible {
  /// A place in the text of the query.
  package struct Location: Equatable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The column, from 1.
    package let column: Int
  }

  /// A step from the data to the field that failed.
  package enum Step: Equatable, Sendable {
    case field(String)
    /// The index of an element, from 0.
    case index(Int)
  }

  /// The message of the server; the JSON of the whole error when it has no message.
  package let message: String
  /// The path to the field of the answer that failed; empty when the error concerns no field.
  package let path: [Step]
  /// The places in the query that the error refers to; empty when the server names none.
  package let locations: [Location]
  /// Other members of the error, for example `classification`.
  package let extensions: JSONObject
  /// The error as the server sent it.
  package let value: JSONValue

  /// - Parameter value: an error, of whatever shape: what is not of GraphQL's shape is left out.
  package init(_ value: JSONValue) {
    self.value = value
    message = value["message"]?.stringValue ?? value.stringValue ?? value.description
    path = (value["path"]?.arrayValue ?? []).compactMap { step in
      step.stringValue.map { .field($0) } ?? step.integerValue.map { .index(Int($0)) }
    }
    locations = (value["locations"]?.arrayValue ?? []).compactMap { place in
      guard let line = place["line"]?.integerValue, let column = place["column"]?.integerValue, line > 0, column > 0
      else { return nil }
      return Location(line: Int(line), column: Int(column))
    }
    extensions = value["extensions"]?.objectValue ?? JSONObject()
  }

  /// The path as people write it, for example `adventureList.items[3].price`; empty when there is none. Not escaped.
  package var pathText: String {
    path.reduce(into: "") { text, step in
      switch step {
      case .field(let name): text += text.isEmpty ? name : ".\(name)"
      case .index(let index): text += "[\(index)]"
      }
    }
  }

  /// One line with the path and the first place, fit to be shown.
  package var description: String {
    var text = quotable(message)
    if !path.isEmpty { text += " (at \(quotable(pathText)))" }
    if let place = locations.first { text += " (line \(place.line), column \(place.column))" }
    return text
  }

  /// Returns every error of an `errors` member. A member that is not a list is read as one error.
  static func all(in value: JSONValue?) -> [QueryError] {
    switch value {
    case nil, .null: []
    case .array(let errors): errors.map(QueryError.init)
    case let error?: [QueryError(error)]
    }
  }
}
