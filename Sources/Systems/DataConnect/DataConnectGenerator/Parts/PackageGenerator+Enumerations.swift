import DataConnectCompiler

extension PackageGenerator {
  var enumerationsText: String {
    var code = CodeWriter()
    code.line("// MARK: Common Enums")
    code.line()
    code.comment("Which values come first.")
    Self.plain("OrderDirection", ["ASC", "DESC"], &code)
    code.line()
    code.comment("How the words of a search are read.")
    Self.plain("SearchQueryFormat", ["QUERY", "PLAIN", "PHRASE", "ADVANCED"], &code)
    code.line()
    code.line("// MARK: Connector Enums")
    for enumeration in schema.enumerations {
      code.line()
      write(enumeration, &code)
    }
    return code.text
  }

  private static func plain(_ name: String, _ values: [String], _ code: inout CodeWriter) {
    code.block("public enum \(name): String, Codable, CaseIterable, Sendable") { code in
      for value in values {
        code.comment("`\(value)`")
        code.line("case \(value)")
      }
    }
  }

  /// Members that an enumeration has beside its values.
  private static let members: Set<String> = [
    "AllCases", "RawValue", "_UNKNOWN", "allCases", "encode", "hash", "hashValue", "init", "rawValue", "self",
  ]

  private func write(_ enumeration: DataEnumeration, _ code: inout CodeWriter) {
    let name = types.enumerations[enumeration.name] ?? enumeration.name
    var scope = NameScope(Self.members)
    let values = enumeration.values.map { value in
      (value: value, name: SwiftName.escaped(scope.has(value) ? scope.take("\(value)_") : scope.take(value)))
    }
    code.comment(enumeration.description ?? "The values of `\(enumeration.name)`.")
    code.block("public enum \(name): RawRepresentable, CaseIterable, Codable, Hashable, Sendable") { code in
      for value in values {
        code.comment("`\(value.value)`")
        code.line("case \(value.name)")
      }
      code.comment("A value that the schema did not have when this was generated.")
      code.line("case _UNKNOWN(String)")
      code.line()
      code.comment("The values that the schema had when this was generated, in its order.")
      code.block("public static var allCases: [\(name)]") { $0.array(values.map { ".\($0.name)" }) }
      code.line()
      code.comment("The value with a name; `_UNKNOWN` for one that was not known.")
      code.block("public init(rawValue: String)") { code in
        code.line("switch rawValue {")
        for value in values { code.line("case \(SwiftName.literal(value.value)): self = .\(value.name)") }
        code.line("default: self = ._UNKNOWN(rawValue)")
        code.line("}")
      }
      code.line()
      code.comment("What the schema calls it.")
      code.block("public var rawValue: String") { code in
        code.line("switch self {")
        for value in values { code.line("case .\(value.name): \(SwiftName.literal(value.value))") }
        code.line("case ._UNKNOWN(let rawValue): rawValue")
        code.line("}")
      }
      Self.writeCoding(&code)
    }
  }

  private static func writeCoding(_ code: inout CodeWriter) {
    code.line()
    code.comment("Reads its name.")
    code.block("public init(from decoder: any Decoder) throws") { code in
      // A value may be called String.
      code.line("self.init(rawValue: try decoder.singleValueContainer().decode(RawValue.self))")
    }
    code.line()
    code.comment("Writes its name.")
    code.block("public func encode(to encoder: any Encoder) throws") { code in
      code.line("var container = encoder.singleValueContainer()")
      code.line("try container.encode(rawValue)")
    }
  }
}
