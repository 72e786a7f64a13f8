internal import ContentRepository
internal import HTTP
internal import HTTPServer
internal import JSON

extension ContentServer {
  /// Runs the query that comes with the request.
  func runAdHoc(_ configurationName: String?, _ request: ServerRequest) async -> ServerResponse {
    let state = repository.state
    if let configurationName, !isConfiguration(configurationName, state) { return Self.noEndpoint }
    guard var order = request.method == "POST" ? Self.order(inBody: request) : Self.order(inQuery: request.query)
    else {
      return ServerResponse(
        status: 400, text: "The request has no query: send JSON with “query”, and “variables” where there are any.")
    }
    order.configuration = configurationName
    let fault = await configuration.fault("\(configurationName ?? "global")/endpoint")
    if case .response(let response) = fault { return response }
    return await response(to: order, of: state, request, caching: nil, fault)
  }

  /// The types of an endpoint in the schema language.
  func schema(_ configurationName: String?) -> ServerResponse {
    guard let text = repository.state.schemaText(configuration: configurationName) else { return Self.noEndpoint }
    return ServerResponse(text: text, contentType: "text/x-graphql-schema")
  }

  static func order(inBody request: ServerRequest) -> QueryOrder? {
    if request.header("Content-Type")?.lowercased().hasPrefix("application/graphql") == true,
      request.header("Content-Type")?.lowercased().hasPrefix("application/graphql-") == false
    {
      return String(validating: request.body, as: UTF8.self).map { QueryOrder(text: $0, variables: [:]) }
    }
    guard let object = try? JSONCoding.parse(request.body).objectValue else { return nil }
    return order(object["query"], object["variables"], object["operationName"])
  }

  static func order(inQuery query: String?) -> QueryOrder? {
    var fields = JSONObject()
    for pair in FormPairs.split(query ?? "") {
      guard let text = pair.value, let name = PercentEncoding.decoded(pair.name),
        let value = PercentEncoding.decodedForm(text)
      else { return nil }
      fields[name] = .string(value)
    }
    var variables: JSONValue?
    if let text = fields["variables"]?.stringValue, !text.isEmpty {
      guard let parsed = try? JSONCoding.parse(text) else { return nil }
      variables = parsed
    }
    return order(fields["query"], variables, fields["operationName"])
  }

  private static func order(_ query: JSONValue?, _ variables: JSONValue?, _ name: JSONValue?) -> QueryOrder? {
    guard let text = query?.stringValue else { return nil }
    var order = QueryOrder(text: text, variables: [:])
    if let variables, !variables.isNull {
      guard let object = variables.objectValue else { return nil }
      order.variables = object
    }
    if let name = name?.stringValue, !name.isEmpty { order.operationName = name }
    return order
  }
}
