package import DataConnectCompiler

/// What values are bound as, alone or in a list.
package struct ParameterType: Sendable, Hashable {
  package let base: ColumnType.Base
  /// The type that the database has for one value, without a length: a cast would cut texts that are too long.
  package let sql: SQLText

  package init(_ base: ColumnType.Base, sql: SQLText) {
    self.base = base
    self.sql = sql
  }

  /// A scalar as the database has it without a word about it.
  ///
  /// Vectors are arrays, which become vectors where they are written into a column of the extension's type.
  package init(_ scalar: DataScalar) {
    self.init(.scalar(scalar), sql: scalar == .vector ? "real[]" : SQLText(trusted: scalar.sqlType))
  }

  package var list: SQLText { "\(sql)[]" }

  /// Words for messages.
  var name: String { base.name }
}

extension SQLWriter {
  /// The type of a column's values; of a list, that of its elements.
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

  /// A type that a developer has written, without lengths and without `[]`; `nil` for what cannot be cast to as it is.
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
    // Without a length they are one character long.
    case "char", "character": return "bpchar"
    case "": return nil
    default: return text.contains("\"") ? text : words
    }
  }
}
