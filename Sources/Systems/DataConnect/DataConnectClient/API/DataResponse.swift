package import JSON

/// The result of an operation, from a request, a stream or the cache: data, errors, and where the data comes from.
package struct DataResponse: Sendable {
  /// The data as a JSON object, in which failed fields are null; `nil` or null when the server sent none.
  package var data: JSONValue?
  /// The errors of single fields, as the server wrote them.
  package var errors: [JSONValue]
  /// Whether the server or the cache supplied the data.
  package var source: DataSource
  /// The server's hints about entities and the age of the result; empty for a cached result.
  var hints: [CacheHint] = []

  /// Creates a response without hints.
  package init(data: JSONValue?, errors: [JSONValue] = [], source: DataSource) {
    self.data = data
    self.errors = errors
    self.source = source
  }

  /// Reads the answer of a server.
  ///
  /// - Throws: what is wrong, as the end of a sentence.
  init(_ object: JSONObject) throws(Misshapen) {
    switch object["data"] {
    case nil, .null, .object: data = object["data"]
    default: throw Misshapen(what: "its data is not an object")
    }
    switch object["errors"] {
    case nil, .null: errors = []
    case .array(let list): errors = list
    default: throw Misshapen(what: "its errors are not a list")
    }
    source = .server
    hints = object["extensions"]?["dataConnect"]?.arrayValue?.compactMap(CacheHint.init) ?? []
  }

  /// A part of the answer does not have the expected form.
  struct Misshapen: Error { let what: String }

  /// Whether the cache may keep it: whole, without an error.
  var isWhole: Bool { errors.isEmpty && data?.objectValue != nil }
}

extension DataResponse: Hashable {
  /// Whether data, errors and source are the same; the hints do not concern a caller.
  package static func == (one: DataResponse, other: DataResponse) -> Bool {
    one.data == other.data && one.errors == other.errors && one.source == other.source
  }

  /// Hashes everything but the hints.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(data)
    hasher.combine(errors)
    hasher.combine(source)
  }
}
