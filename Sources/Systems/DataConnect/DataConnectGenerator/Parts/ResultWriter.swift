/// Writes the structs of a result.
enum ResultWriter {
  static func write(_ shape: ResultShape, isMutation: Bool, _ code: inout CodeWriter) {
    code.comment("What the \(isMutation ? "mutation" : "query") gives.")
    let conformances = isMutation ? "Decodable, Sendable, MutationData" : "Decodable, Sendable"
    code.block("public struct Data: \(conformances)") { body(shape, named: "Data", &$0) }
  }

  private static func write(_ nested: ResultShape.Nested, _ code: inout CodeWriter) {
    let keyed = nested.shape.key == nil ? "" : ", Hashable, Equatable, Identifiable"
    code.comment("What is selected of it.")
    code.block("public struct \(nested.name): Decodable, Sendable\(keyed)") {
      body(nested.shape, named: nested.name, &$0)
    }
  }

  private static func body(_ shape: ResultShape, named name: String, _ code: inout CodeWriter) {
    for nested in shape.nested {
      write(nested, &code)
      code.line()
    }
    for property in shape.properties {
      code.comment("The field `\(property.name)`.")
      code.line("public var \(swiftName(property.name)): \(property.type)")
    }
    if shape.properties.contains(where: { SwiftName.member($0.name) != $0.name }) {
      code.line()
      code.block("private enum CodingKeys: String, CodingKey") { code in
        for property in shape.properties {
          code.line("case \(swiftName(property.name)) = \(SwiftName.literal(property.name))")
        }
      }
    }
    if let key = shape.key { write(key, of: name, &code) }
  }

  private static func swiftName(_ name: String) -> String { SwiftName.escaped(SwiftName.member(name)) }

  private static func write(_ key: ResultShape.Key, of name: String, _ code: inout CodeWriter) {
    code.line()
    code.comment("The key of the row.")
    code.block("public var \(key.name): \(key.type)") { code in
      code.list(
        ".init", key.columns.map { "\(SwiftName.label(SwiftName.member($0.column))): self.\(swiftName($0.property))" })
    }
    if !key.hasID {
      code.comment("The key of the row.")
      code.inlineBlock("public var id: \(key.type)", key.name)
    }
    code.line()
    code.comment("Rows with one key are the same row.")
    // By its name: a struct inside of this one may be called the same.
    code.list("public static func == ", ["left: Self", "right: Self"], " -> Bool") { code in
      code.line("left.\(key.name) == right.\(key.name)")
    }
    code.line()
    code.comment("Puts in the key.")
    code.inlineBlock("public func hash(into hasher: inout Hasher)", "hasher.combine(\(key.name))")
  }
}
