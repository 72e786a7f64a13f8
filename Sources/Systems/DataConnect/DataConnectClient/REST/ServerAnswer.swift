internal import JSON

/// What a server answered to an operation: of a request and of a stream alike.
struct ServerAnswer: Sendable, Equatable {
  /// An object or null; `nil` when the answer has no such member.
  var data: JSONValue?
  var errors: [JSONValue]
  /// What the server says of entities and of age.
  var hints: [CacheHint]

  init(data: JSONValue?, errors: [JSONValue] = [], hints: [CacheHint] = []) {
    self.data = data
    self.errors = errors
    self.hints = hints
  }

  /// - Throws: what is wrong, as the end of a sentence.
  init(_ object: JSONObject) throws(Misshapen) {
    switch object["data"] {
    case nil, .null, .object: data = object["data"]
    default: throw Misshapen(what: "its data is no object")
    }
    switch object["errors"] {
    case nil, .null: errors = []
    case .array(let list): errors = list
    default: throw Misshapen(what: "its errors are no list")
    }
    hints = object["extensions"]?["dataConnect"]?.arrayValue?.compactMap(CacheHint.init) ?? []
  }

  /// What is not as it should be.
  struct Misshapen: Error { let what: String }

  /// Whether the cache may keep it: whole, without an error.
  var isWhole: Bool { errors.isEmpty && data?.objectValue != nil }

  func response() -> DataResponse { DataResponse(data: data, errors: errors, source: .server) }
}
