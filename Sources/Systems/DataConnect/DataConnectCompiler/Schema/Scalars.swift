import GraphQL
import JSON

/// The rules for literals of the prelude's scalars in operations and schemas.
enum Scalars {
  static let all: [String: GraphQLScalar] = {
    var all: [String: GraphQLScalar] = [:]
    for name in ["String", "Boolean", "UUID", "Int", "Int64", "Float", "Any", "Timestamp", "Date"] {
      all["\(name)_Expr"] = text("an expression, as a text")
    }
    for name in ["Any_SQL", "SQL_Query", "SQL_Mutation"] { all[name] = text("a statement, as a text") }
    all["UUID"] = scalar("a UUID: 32 hexadecimal digits between quotes") { value in
      guard case .string(let text) = value else { return false }
      return text.count { $0.isHexDigit } >= 32 && text.utf8.count <= 45
    }
    all["Date"] = scalar("a day: \"2026-01-31\"", DataScalar.date)
    all["Timestamp"] = scalar("a time: \"2026-01-31T12:00:00Z\"", DataScalar.timestamp)
    all["Int64"] = scalar("an integer of 64 bits") { value in
      switch value {
      case .integer: true
      case .string(let text): Int64(text) != nil
      default: false
      }
    }
    all["True"] = scalar("true, the only value there is") { $0 == .bool(true) }
    all["Vector"] = scalar("a list of numbers") { value in
      guard case .array(let numbers) = value else { return false }
      return numbers.allSatisfy { number in
        switch number {
        case .integer, .double: true
        // A variable inside of the list.
        case .null: true
        default: false
        }
      }
    }
    return all
  }()

  private static func text(_ words: String) -> GraphQLScalar {
    scalar(words) { if case .string = $0 { true } else { false } }
  }

  private static func scalar(_ words: String, _ type: DataScalar) -> GraphQLScalar {
    scalar(words) { value in
      guard case .string(let text) = value else { return false }
      return type.misfit(ValueNode(.string(text, isBlock: false))) == nil
    }
  }

  private static func scalar(_ words: String, _ accepts: @escaping @Sendable (JSONValue) -> Bool) -> GraphQLScalar {
    GraphQLScalar(
      input: { value throws(GraphQLError) in
        if accepts(value) { return value }
        throw GraphQLError("It should be \(words).", code: "Values")
      }, output: { value throws(GraphQLError) in value })
  }
}

extension ValueNode {
  fileprivate init(_ kind: Kind) { self.init(kind: kind, position: .none) }
}
