package import JSON
import Text

/// A variable as people write it: `NAME=VALUE`, or `NAME:=JSON` for lists, objects, null, and text that has to be
/// quoted.
///
/// A value is text, whatever it looks like, but for `true`, `false` and numbers as JSON writes them: by GET these are
/// the same text, and by POST they have the type that the query declares more often than not.
package struct QueryArgument: Equatable, Sendable {
  /// The variable's name.
  package let name: String
  /// The variable's value: text, a Boolean value, a number, or any JSON after `:=`.
  package let value: JSONValue

  /// - Throws: `invalidQuery` for text without a name, and for what is no JSON behind `:=`.
  package init(_ text: String) throws(ContentError) {
    guard let (head, behind) = text.cut(at: "="), !head.isEmpty, text.first != ":" else {
      throw ContentError(
        .invalidQuery, "\"\(quotable(text))\" is not a variable.", recovery: "Write it as NAME=VALUE or NAME:=JSON.")
    }
    let rest = String(behind)
    guard head.hasSuffix(":") else {
      name = String(head)
      value = Self.scalar(rest) ?? .string(rest)
      return
    }
    name = String(head.dropLast())
    do throws(JSONError) { value = try JSONCoding.parse(rest, maximumDepth: 32) } catch {
      throw ContentError(
        .invalidQuery, "The value of \"\(quotable(name))\" is not JSON: \(quotable(error.message))",
        recovery: "Write NAME=VALUE for text.")
    }
  }

  private static func scalar(_ text: String) -> JSONValue? {
    guard let value = try? JSONCoding.parse(text, maximumDepth: 1), webText(of: value) == text else { return nil }
    switch value {
    case .bool, .integer, .unsigned, .double: return value
    default: return nil
    }
  }
}
