extension Prelude {
  /// A filter for each scalar, and one for lists of it.
  static let filters: [String] =
    [stringFilter, stringPattern, listFilter("String")]
    + ["UUID", "Int", "Int64", "Float", "Boolean", "Any"].flatMap { name in
      [filter(name, isOrdered: ["Int", "Int64", "Float"].contains(name)), listFilter(name)]
    }
    + [
      relativeFilter("Date", "date"), relativeListFilter("Date", "date"), relativeFilter("Timestamp", "time"),
      relativeListFilter("Timestamp", "time"),
    ]

  private static let comparisons: [(name: String, words: String)] = [
    ("gt", "greater than"), ("ge", "greater than or equal to"), ("lt", "less than"), ("le", "less than or equal to"),
  ]

  private static let null = """
      "Whether the column has no value."
      isNull: Boolean
    """

  private static let stringFilter =
    """
    "Conditions on a `String`."
    input String_Filter {
    \(null)
    \(variants("eq", "equal to", "String", ["expr"]))
    \(variants("ne", "different from", "String", ["expr"]))
    \(membership("String"))
    \(comparisons.map { "  \"The value is \($0.words) this one.\"\n  \($0.name): String" }.joined(separator: "\n"))
      "The value has this text in it."
      contains: String
      "The value begins with this text."
      startsWith: String
      "The value ends with this text."
      endsWith: String
      "The value has this form."
      pattern: String_Pattern
    }
    """

  private static let stringPattern = """
    input String_Pattern {
      "As SQL's LIKE has it."
      like: String @fdc_oneOf
      "A POSIX regular expression."
      regex: String @fdc_oneOf
      "Whether capital letters are like small ones."
      ignoreCase: Boolean
    }
    """

  private static func filter(_ type: String, isOrdered: Bool) -> String {
    var lines = [null, variants("eq", "equal to", type, ["expr"]), variants("ne", "different from", type, ["expr"])]
    lines.append(membership(type))
    if isOrdered { lines += comparisons.map { variants($0.name, $0.words, type, ["expr"]) } }
    return "\"Conditions on `\(type)`.\"\ninput \(type)_Filter {\n\(lines.joined(separator: "\n"))\n}"
  }

  private static func relativeFilter(_ type: String, _ suffix: String) -> String {
    let lines =
      [null] + [("eq", "equal to"), ("ne", "different from")].map { variants($0.0, $0.1, type, ["expr", suffix]) }
      + [membership(type)] + comparisons.map { variants($0.name, $0.words, type, ["expr", suffix]) }
    return "\"Conditions on a `\(type)`.\"\ninput \(type)_Filter {\n\(lines.joined(separator: "\n"))\n}"
  }

  /// A comparison with a value, an expression and, of times, something relative.
  private static func variants(_ name: String, _ words: String, _ type: String, _ suffixes: [String]) -> String {
    let group = "@fdc_oneOf(group: \"\(name)\")"
    var lines = ["  \"The value is \(words) this one.\"", "  \(name): \(type) \(group)"]
    for suffix in suffixes {
      let variant = suffix == "expr" ? "\(type)_Expr" : "\(type)_Relative"
      let of = suffix == "expr" ? "the expression's" : "the relative one"
      lines += ["  \"The value is \(words) \(of).\"", "  \(name)_\(suffix): \(variant) \(group)"]
    }
    return lines.joined(separator: "\n")
  }

  private static func membership(_ type: String) -> String {
    """
      "The value is one of these."
      in: [\(type)!]
      "The value is none of these."
      nin: [\(type)!]
    """
  }

  static func listFilter(_ type: String) -> String {
    """
    "Conditions on a list of `\(type)`."
    input \(type)_ListFilter {
      "The list has this value."
      includes: \(type)
      "The list does not have this value."
      excludes: \(type)
      "The list has all of these values."
      includesAll: [\(type)!]
      "The list has none of these values."
      excludesAll: [\(type)!]
    }
    """
  }

  private static func relativeListFilter(_ type: String, _ suffix: String) -> String {
    func variants(_ name: String, _ words: String) -> String {
      """
        "The list \(words) this value."
        \(name): \(type) @fdc_oneOf(group: "\(name)")
        "The list \(words) the expression's value."
        \(name)_expr: \(type)_Expr @fdc_oneOf(group: "\(name)")
        "The list \(words) the relative one."
        \(name)_\(suffix): \(type)_Relative @fdc_oneOf(group: "\(name)")
      """
    }
    return """
      "Conditions on a list of `\(type)`."
      input \(type)_ListFilter {
      \(variants("includes", "has"))
      \(variants("excludes", "does not have"))
        "The list has all of these values."
        includesAll: [\(type)!]
        "The list has none of these values."
        excludesAll: [\(type)!]
      }
      """
  }
}
