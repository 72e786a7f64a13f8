import DataConnectCompiler

extension PackageGenerator {
  /// The keys of all tables of the schema.
  var keysText: String {
    let parts = schema.tables.compactMap { table in types.keys[table.name].map { keyText(table, $0) } }
    return head + parts.joined(separator: "\n")
  }

  private func keyText(_ table: Table, _ name: String) -> String {
    let columns = table.key.compactMap { table.column($0) }.map {
      (name: $0.name, type: types.type($0.type))
    }
    var code = CodeWriter()
    code.comment("Tells a row of `\(table.name)`.")
    code.block("public struct \(name)") { code in
      for column in columns {
        code.comment("The column `\(column.name)`.")
        code.line("public private(set) var \(SwiftName.escaped(column.name)): \(column.type)")
      }
      code.line()
      code.comment("The key of a row.")
      code.list("public init", columns.map { "\(SwiftName.escaped($0.name)): \($0.type)" }) { code in
        for column in columns {
          let name = SwiftName.escaped(column.name)
          code.line("self.\(name) = \(name)")
        }
      }
    }
    code.line()
    code.line("extension \(name): Codable, Hashable, Sendable {}")
    return code.text
  }
}
