internal import JSONRPC

/// An error in the shape of graphql-java, which AEM sends in a response of status 200.
struct QueryError: Error {
  let message: String
  let classification: String

  init(_ message: String, classification: String = "DataFetchingException") {
    self.message = message
    self.classification = classification
  }

  var value: JSONValue {
    ["message": .string(message), "locations": [], "extensions": ["classification": .string(classification)]]
  }
}
