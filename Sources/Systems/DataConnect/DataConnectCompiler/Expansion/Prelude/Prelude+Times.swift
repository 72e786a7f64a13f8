extension Prelude {
  private static let forbidden = "@fdc_forbiddenAsVariableType @fdc_forbiddenAsFieldType"

  /// Times that are computed when an operation runs.
  static let relative = [
    relativeInput("Timestamp", now: "now", at: "at"),
    duration("Timestamp", ["milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "years"]),
    interval("Timestamp", ["SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "YEAR"]),
    relativeInput("Date", now: "today", at: "on"), duration("Date", ["days", "weeks", "months", "years"]),
    interval("Date", ["WEEK", "MONTH", "YEAR"]),
  ].joined(separator: "\n\n")

  private static func relativeInput(_ type: String, now: String, at: String) -> String {
    """
    "A `\(type)` that is computed when the operation runs."
    input \(type)_Relative \(forbidden) {
      "From the time of the request."
      \(now): True @fdc_oneOf(group: "from", required: true)
      "From this one."
      \(at): \(type) @fdc_oneOf(group: "from", required: true)
      "What is added."
      add: \(type)_Duration
      "What is taken away."
      sub: \(type)_Duration
      "What the result begins: the week, the month …"
      truncateTo: \(type)_Interval
    }
    """
  }

  private static func duration(_ type: String, _ units: [String]) -> String {
    let lines = units.map { "  \"How many \($0).\"\n  \($0): Int! = 0" }
    return "input \(type)_Duration \(forbidden) {\n\(lines.joined(separator: "\n"))\n}"
  }

  private static func interval(_ type: String, _ units: [String]) -> String {
    let lines = units.map { "  \"One \($0.lowercased()).\"\n  \($0)" }
    return "enum \(type)_Interval @fdc_forbiddenAsFieldType {\n\(lines.joined(separator: "\n"))\n}"
  }

  // MARK: Updates

  /// How values are changed that a column already has.
  static let updates =
    [listUpdate("String"), listUpdate("UUID")]
    + ["Int", "Int64", "Float"].flatMap { [update($0, by: $0), listUpdate($0)] }
    + ["Boolean", "Any"].map { listUpdate($0) }
    + ["Date", "Timestamp"].flatMap { [update($0, by: "\($0)_Duration"), listUpdate($0)] }

  private static func update(_ type: String, by step: String) -> String {
    """
    "A change of a `\(type)`, one of these."
    input \(type)_Update {
      "What is added."
      inc: \(step) @fdc_oneOf
      "What is taken away."
      dec: \(step) @fdc_oneOf
    }
    """
  }

  static func listUpdate(_ type: String) -> String {
    """
    "A change of a list of `\(type)`, one of these."
    input \(type)_ListUpdate {
      "Values for its end."
      append: [\(type)!] @fdc_oneOf
      "Values for its beginning."
      prepend: [\(type)!] @fdc_oneOf
      "Values for its end, where it does not have them."
      add: [\(type)!] @fdc_oneOf
      "Values that are taken out wherever they are."
      remove: [\(type)!] @fdc_oneOf
    }
    """
  }
}
