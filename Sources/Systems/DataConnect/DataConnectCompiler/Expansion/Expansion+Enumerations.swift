extension Expansion {
  /// The inputs of an enumeration.
  func inputs(of type: DataEnumeration) -> [SDLDefinition] {
    var found: [SDLDefinition] = [filter(of: type), listFilter(of: type)]
    let isListed = tables.contains { table in
      table.columns.contains { $0.type.isList && $0.type.base == .enumeration(type.name) }
    }
    if isListed {
      let fields = [
        ("append", "Values for its end."), ("prepend", "Values for its beginning."),
        ("add", "Values for its end, where it does not have them."),
        ("remove", "Values that are taken out wherever they are."),
      ].map { SDLInput(name: $0.0, type: "[\(type.name)!]", description: $0.1) }
      found.append(
        .input("\(type.name)_ListUpdate", description: "A change of a list of `\(type.name)`, one of these.", fields))
    }
    return found
  }

  private func filter(of type: DataEnumeration) -> SDLDefinition {
    let name = type.name
    let equality = pair("eq", name, "The value is this one.") + pair("ne", name, "The value is another one.")
    let membership = [
      SDLInput(name: "isNull", type: "Boolean", description: "Whether the column has no value."),
      SDLInput(name: "in", type: "[\(name)!]", description: "The value is one of these."),
      SDLInput(name: "nin", type: "[\(name)!]", description: "The value is none of these."),
    ]
    let order =
      pair("gt", name, "The value is declared behind this one.")
      + pair("ge", name, "The value is this one, or declared behind it.")
      + pair("lt", name, "The value is declared before this one.")
      + pair("le", name, "The value is this one, or declared before it.")
    return .input("\(name)_Filter", description: "Conditions on a `\(name)`.", equality + membership + order)
  }

  private func listFilter(of type: DataEnumeration) -> SDLDefinition {
    let name = type.name
    return .input(
      "\(name)_ListFilter", description: "Conditions on a list of `\(name)`.",
      pair("includes", name, "The list has this value.")
        + [SDLInput(name: "includesAll", type: "[\(name)!]", description: "The list has all of these values.")]
        + pair("excludes", name, "The list does not have this value.")
        + [
          SDLInput(name: "excludesAll", type: "[\(name)!]", description: "The list has none of these values."),
          SDLInput(
            name: "count", type: "Int_Filter", defaultValue: "{gt:0}",
            description: "How many values are as they have to be: by default at least one."),
          SDLInput(name: "exist", type: "\(name)_Filter", description: "How values have to be."),
        ])
  }

  /// A comparison with a value, and with that of an expression.
  private func pair(_ operation: String, _ type: String, _ words: String) -> [SDLInput] {
    [
      SDLInput(name: operation, type: type, description: words),
      SDLInput(
        name: "\(operation)_expr", type: "\(type)_Expr", isForbiddenInVariables: true,
        description: "In place of `\(operation)`. \(words)"),
    ]
  }
}
