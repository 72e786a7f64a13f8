internal import JSON
internal import Synchronization

/// The reason for which a query is not stored.
struct PersistFault: Error, Equatable {
  let message: String

  init(_ message: String) { self.message = message }
}

/// A query under a name.
struct StoredQuery: Sendable, Equatable {
  let configuration: String
  let name: String
  let text: String
  var caching = CacheOverride.none

  var shortForm: String { "\(configuration)/\(name)" }
  var longForm: String { "/conf/\(configuration)/settings/graphql/persistentQueries/\(name)" }

  /// The query as an element of `list.json`.
  var listed: JSONValue {
    var data: JSONObject = ["query": .string(text)]
    if !caching.cacheControl.isEmpty { data["cache-control"] = .object(caching.cacheControl) }
    if !caching.surrogateControl.isEmpty { data["surrogate-control"] = .object(caching.surrogateControl) }
    return ["path": ["shortForm": .string(shortForm), "longForm": .string(longForm)], "data": .object(data)]
  }

  /// The query in the answer to its creation or its change.
  func reported(_ action: String) -> JSONValue {
    [
      "action": .string(action), "configurationName": .string(configuration), "name": .string(name),
      "shortPath": .string("/\(shortForm)"), "path": .string(longForm),
    ]
  }

  /// A query as the body of a request brings it: its text, or JSON with the text and how long answers keep. The public
  /// clients call either of them JSON.
  init(configuration: String, name: String, body: [UInt8]) throws(PersistFault) {
    guard body.count <= PersistedQueries.mostBytes else {
      throw PersistFault("The query has more than \(PersistedQueries.mostBytes) bytes.")
    }
    guard let plain = String(validating: body, as: UTF8.self) else { throw PersistFault("The body is not UTF-8.") }
    if let object = try? JSONCoding.parse(body).objectValue, let given = object["query"] {
      guard let text = given.stringValue else { throw PersistFault("“query” is not text.") }
      self.init(configuration: configuration, name: name, text: text, caching: try CacheOverride(object))
    } else {
      self.init(configuration: configuration, name: name, text: plain)
    }
  }

  init(configuration: String, name: String, text: String, caching: CacheOverride = .none) {
    self.configuration = configuration
    self.name = name
    self.text = text
    self.caching = caching
  }
}

/// The queries that were stored while the server runs. They go before those of the repository, and end with the server.
final class PersistedQueries: Sendable {
  /// The most stored queries, and below the most bytes of one.
  static let most = 1000
  static let mostBytes = 128 << 10
  /// The most bytes of all stored queries together.
  static let mostBytesInAll = 16 << 20

  private struct State {
    var queries: [String: StoredQuery] = [:]
    var order: [String] = []
    var bytes = 0
  }

  private let state = Mutex(State())

  subscript(configuration: String, name: String) -> StoredQuery? {
    state.withLock { $0.queries["\(configuration)/\(name)"] }
  }

  /// In the order in which they were first stored.
  func all(of configuration: String) -> [StoredQuery] {
    state.withLock { state in
      state.order.compactMap { state.queries[$0] }.filter { $0.configuration == configuration }
    }
  }

  /// - Parameter isReplacing: whether it may take the place of one of its name.
  /// - Returns: whether it is stored; of two requests that create the same, one is.
  func store(_ query: StoredQuery, replacing isReplacing: Bool) throws(PersistFault) -> Bool {
    let outcome: Result<Bool, PersistFault> = state.withLock { state in
      let key = query.shortForm
      let old = state.queries[key]
      guard isReplacing || old == nil else { return .success(false) }
      let bytes = state.bytes - (old?.text.utf8.count ?? 0) + query.text.utf8.count
      guard old != nil || state.order.count < Self.most else {
        return .failure(PersistFault("There are \(Self.most) persisted queries; no more are taken."))
      }
      guard bytes <= Self.mostBytesInAll else {
        return .failure(PersistFault("The persisted queries have \(Self.mostBytesInAll) bytes; no more are taken."))
      }
      if old == nil { state.order.append(key) }
      state.queries[key] = query
      state.bytes = bytes
      return .success(true)
    }
    return try outcome.get()
  }

  /// Letters, digits and what else a segment of a path may have; no more than 100.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 100 && text != "." && text != ".."
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }
}
