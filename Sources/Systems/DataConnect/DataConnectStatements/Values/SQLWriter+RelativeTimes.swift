import DataConnectCompiler

extension SQLWriter {
  /// A day that is computed: `{today: true, sub: {weeks: 1}, truncateTo: MONTH}`, in the calendar of UTC.
  package func relativeDate(_ value: InputValue) throws(StatementError) -> SQLText {
    let (from, step, unit) = try relative(value, now: "today", at: "on", .date)
    let moved: SQLText = step.map { "(\(from) + \($0))" } ?? from
    return unit.map { "date_trunc(\(literal: $0), \(moved)::timestamp)::date" } ?? "(\(moved))::date"
  }

  /// A point in time that is computed, days and greater units in the calendar of UTC.
  package func relativeTimestamp(_ value: InputValue) throws(StatementError) -> SQLText {
    let (from, step, unit) = try relative(value, now: "now", at: "at", .timestamp)
    if step == nil, unit == nil { return from }
    let start: SQLText = "\(from) AT TIME ZONE 'UTC'"
    let moved: SQLText = step.map { "(\(start)) + \($0)" } ?? start
    let cut: SQLText = unit.map { "date_trunc(\(literal: $0), \(moved))" } ?? "(\(moved))"
    return "(\(cut) AT TIME ZONE 'UTC')"
  }

  /// Where to begin, how far to go from there, and what to cut the result to.
  private func relative(
    _ value: InputValue, now: String, at: String, _ scalar: DataScalar
  ) throws(StatementError) -> (from: SQLText, step: SQLText?, unit: String?) {
    let object = try value.object()
    try object.exclude([now, at])
    let from: SQLText
    if let given = object.given(at) {
      from = try bind(given, ParameterType(scalar))
    } else if object.given(now) != nil {
      let time = try self.value(ofExpression: "request.time", at: value.path)
      // Of a time, a day is what comes first.
      from = try bind(time, ParameterType(scalar))
    } else {
      throw value.error("This has to have one of \(now) and \(at).")
    }
    var steps: [SQLText] = []
    for (name, sign) in [("add", ""), ("sub", "-")] {
      guard let duration = object.given(name) else { continue }
      steps.append(try self.duration(duration, sign: sign))
    }
    var unit: String?
    if let word = object.given("truncateTo") {
      guard let known = try Self.units[word.text()] else { throw word.error("There is no such unit.") }
      unit = known
    }
    return (from, steps.isEmpty ? nil : steps.joined(" + "), unit)
  }

  private static let units = [
    "SECOND": "second", "MINUTE": "minute", "HOUR": "hour", "DAY": "day", "WEEK": "week", "MONTH": "month",
    "YEAR": "year",
  ]

  /// A time between two others: `{days: 1, hours: 12}`.
  ///
  /// - Parameter sign: `-` to go back.
  package func duration(_ value: InputValue, sign: String = "") throws(StatementError) -> SQLText {
    let interval = try bind(value, as: "interval") { value throws(StatementError) in
      var words: [String] = []
      for (name, part) in try value.object().members where !part.isNull {
        guard ["milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "years"].contains(name) else {
          throw part.error("There is no such unit.")
        }
        let count = try part.integer()
        // With a sign each, lest a session's style has the first one's mean all.
        words.append("\(count < 0 ? "" : "+")\(count) \(name)")
      }
      return words.isEmpty ? "0 seconds" : words.joined(separator: " ")
    }
    return sign.isEmpty ? interval : "(- \(interval))"
  }
}
