internal import HTTPServer
internal import JSON
internal import Text

/// The key of a cached answer: the same path of the same content has the same answer.
struct AnswerKey: Hashable, Sendable {
  private let generation: UInt64
  /// The path as the client sent it.
  private let path: ExactText
  private let wantsStatus: Bool

  init(_ request: ServerRequest, _ generation: UInt64) {
    self.generation = generation
    path = ExactText(request.path)
    wantsStatus = request.wantsGraphQLStatus
  }
}

/// An answer to a persisted query that may be given again.
struct KeptAnswer: Sendable {
  /// `configuration/name`
  let query: String
  let response: ServerResponse
}

/// A fault that was asked for already: one with a count is used up by asking.
struct AskedFault: Sendable {
  let query: String
  let fault: ContentFault?
}

extension ServerRequest {
  static let graphQLResponse = "application/graphql-response+json"

  /// Whether the client wants to read from the status that a query failed.
  var wantsGraphQLStatus: Bool { header("Accept")?.lowercased().contains(Self.graphQLResponse) == true }
}

/// The result of a query as a response.
struct QueryOutcome: Sendable {
  let json: JSONObject

  var data: JSONValue { json["data"] ?? .null }
  var hasErrors: Bool { json["errors"]?.arrayValue?.isEmpty == false }

  /// - Parameters:
  ///   - wantsStatus: whether the status says that there is no data; otherwise it is always 200.
  ///   - caching: how long it keeps, unless there are errors; `nil` says nothing.
  func response(wantsStatus: Bool, caching: CachePolicy?) -> ServerResponse {
    let type = wantsStatus ? ServerRequest.graphQLResponse : "application/json"
    var response = ServerResponse(
      status: wantsStatus ? status : 200, text: JSONCoding.text(of: .object(json)),
      contentType: "\(type);charset=utf-8")
    if wantsStatus { response.headers.append(ServerField("Vary", "Accept")) }
    if hasErrors {
      response.headers.append(ServerField("Cache-Control", "no-store"))
    } else if let caching {
      response.headers.append(ServerField("Cache-Control", caching.field))
    }
    return response
  }

  /// 400 when the request was wrong, 500 when it could not be executed (GraphQL over HTTP, 6.4.2).
  private var status: Int {
    guard hasErrors, data.isNull else { return 200 }
    let kind = json["errors"]?[0]?["extensions"]?["classification"]?.stringValue
    return kind == nil || kind == "DataFetchingException" ? 500 : 400
  }
}
