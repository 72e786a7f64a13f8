import HTTPServer
import JSON

/// The body of a request that has something executed.
struct OperationCall: Sendable {
  let name: String?
  let query: String?
  let variables: JSONObject
  let extensions: JSONValue?

  /// - Throws: `invalidArgument` for what is no such body.
  init(_ request: ServerRequest) throws(RequestFailure) {
    let body: JSONValue
    do throws(JSONError) {
      body = try JSONCoding.parse(request.body)
    } catch {
      throw RequestFailure(.invalidArgument, "The body is not JSON.")
    }
    try self.init(body)
  }

  init(_ body: JSONValue) throws(RequestFailure) {
    guard case .object(let object) = body else {
      throw RequestFailure(.invalidArgument, "The body is \(body.kind) and no object.")
    }
    name = try Self.text(object, "operationName")
    query = try Self.text(object, "query")
    extensions = object["extensions"]
    switch object["variables"] {
    case nil, .null: variables = [:]
    case .object(let given): variables = given
    case let other?: throw RequestFailure(.invalidArgument, "\"variables\" is \(other.kind) and no object.")
    }
  }

  private static func text(_ object: JSONObject, _ name: String) throws(RequestFailure) -> String? {
    guard let value = object[name], !value.isNull else { return nil }
    guard let text = value.stringValue else {
      throw RequestFailure(.invalidArgument, "\"\(name)\" is \(value.kind) and no string.")
    }
    return text
  }
}
