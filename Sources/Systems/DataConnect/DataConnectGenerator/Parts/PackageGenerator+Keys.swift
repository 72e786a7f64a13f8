import DataConnectCompiler

extension PackageGenerator {
  /// The keys of all tables of the schema.
  var keysText: String {
    let parts = schema.tables.compactMap { table in types.keys[table.name].map { keyText(table, $0) } }
    return head + parts.joined(separator: "\n")
  }

  private func keyText(_ table: Table, _ name: String) -> String {
    let columns = table.key.compactMap { table.column($0) }.map {
      (name: SwiftName.escaped(SwiftName.member($0.name)), wireName: $0.name, type: types.type($0.type))
    }
    var code = CodeWriter()
    code.comment("Tells a row of `\(table.name)`.")
    code.block("public struct \(name)") { code in
      for column in columns {
        code.comment("The column `\(column.wireName)`.")
        code.line("public private(set) var \(column.name): \(column.type)")
      }
      code.line()
      code.comment("The key of a row.")
      code.list("public init", columns.map { "\($0.name): \($0.type)" }) { code in
        for column in columns { code.line("self.\(column.name) = \(column.name)") }
      }
      if columns.allSatisfy({ SwiftName.member($0.wireName) == $0.wireName }) { return }
      code.line()
      code.block("private enum CodingKeys: String, CodingKey") { code in
        for column in columns { code.line("case \(column.name) = \(SwiftName.literal(column.wireName))") }
      }
    }
    code.line()
    code.line("extension \(name): Codable, Hashable, Sendable {}")
    return code.text
  }
}
