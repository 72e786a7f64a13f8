import GraphQL
import JSON

/// The scalars of AEM that GraphQL does not have.
enum ContentScalars {
  static let all: [String: GraphQLScalar] = [
    "Calendar": moment(.dateTime, "A Calendar is a date and a time such as \"2026-05-31T18:30:00.000Z\""),
    "Date": moment(.date, "A Date is a text such as \"2026-05-31\""),
    "Time": moment(.time, "A Time is a text such as \"18:30:00\""), "Long": long, "Json": .any,
  ]

  private static func moment(_ form: Moment.Form, _ words: String) -> GraphQLScalar {
    GraphQLScalar(
      input: { value throws(GraphQLError) in
        if let text = value.stringValue, Moment(text, form) != nil { return value }
        throw GraphQLError("\(words), not \(value.description.shownInProblem).")
      }, output: { value throws(GraphQLError) in value })
  }

  private static let long = GraphQLScalar(
    input: { value throws(GraphQLError) in
      if let number = value.integerValue { return .integer(number) }
      throw GraphQLError("A Long is a whole number of 64 bits, not \(value.description.shownInProblem).")
    }, output: { value throws(GraphQLError) in value })
}
