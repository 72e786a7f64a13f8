package import DataConnectCompiler

/// The PostgreSQL type that values are bound as, singly or in a list.
package struct ParameterType: Sendable, Hashable {
  /// The type in the schema.
  package let base: ColumnType.Base
  /// The type in PostgreSQL without a length, because a cast to a length would silently cut longer texts.
  package let sql: SQLText

  /// Creates a type that is bound as `sql`.
  package init(_ base: ColumnType.Base, sql: SQLText) {
    self.base = base
    self.sql = sql
  }

  /// Creates the default PostgreSQL type of a scalar.
  ///
  /// Vectors are bound as arrays; PostgreSQL converts them when they are written to a column of type `vector`.
  package init(_ scalar: DataScalar) {
    self.init(.scalar(scalar), sql: scalar == .vector ? "real[]" : SQLText(trusted: scalar.sqlType))
  }

  /// The type of an array of these values.
  package var list: SQLText { "\(sql)[]" }

  /// Words for messages.
  var name: String { base.name }
}

extension SQLWriter {
  /// Returns the type of a column's values; for a list, the type of its elements.
  package func type(of column: Column) -> ParameterType {
    switch column.type.base {
    case .enumeration(let name):
      let sqlName = schema.enumeration(name)?.sqlName ?? name
      return ParameterType(column.type.base, sql: "\(name: context.namespace).\(name: sqlName)")
    case .scalar(.vector): return ParameterType(.vector)
    case .scalar(let scalar) where column.sqlType == scalar.sqlType: return ParameterType(scalar)
    case .scalar(let scalar):
      return ParameterType(column.type.base, sql: SQLText(trusted: Self.element(column.sqlType) ?? scalar.sqlType))
    }
  }

  /// Reduces a type that the developer wrote to the type of one value: no length, no `[]`. Returns `nil` when a value
  /// cannot be cast to it.
  private static func element(_ type: String) -> String? {
    var (text, depth) = ("", 0)
    for character in type {
      switch character {
      case "(": depth += 1
      case ")": depth -= 1
      case "[", "]": continue
      default: if depth == 0 { text.append(character) }
      }
    }
    let words = text.lowercased().split(separator: " ").joined(separator: " ")
    switch words {
    case "serial", "serial4": return "integer"
    case "bigserial", "serial8": return "bigint"
    case "smallserial", "serial2": return "smallint"
    // Without a length, these types hold one character.
    case "char", "character": return "bpchar"
    case "": return nil
    default: return text.contains("\"") ? text : words
    }
  }
}
