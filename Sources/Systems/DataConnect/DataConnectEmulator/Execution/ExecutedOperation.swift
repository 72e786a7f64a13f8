import DataConnectCompiler
import GraphQL
import JSON

/// The result of an operation.
package struct ExecutedOperation: Sendable {
  let results: [FieldResult]
  /// The error of the operation as a whole; `nil` without one.
  var failure: OperationError?
  /// The statements of its fields, for the administrator who asked for them.
  var statements: ExecutedStatements?

  /// In the order of the fields.
  package var errors: [OperationError] { [failure].compactMap(\.self) + results.compactMap(\.error) }

  /// The identifiers of the written rows.
  var writes: Set<String> { Set(results.flatMap(\.writes)) }

  /// Whether something of a mutation was done.
  var hasEffect: Bool { results.contains { $0.error == nil } }

  /// The whole body.
  package var body: [UInt8] {
    var bytes: [UInt8] = [0x7B]
    writeMembers(into: &bytes)
    bytes.append(0x7D)
    return bytes
  }

  /// Appends the members `data`, `errors` and `extensions` with commas between them, without braces.
  func writeMembers(into bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + results.reduce(256) { $0 + $1.text.count + $1.plan.name.utf8.count + 4 })
    Self.append("\"data\":{", to: &bytes)
    var isFirst = true
    for result in results where !result.plan.field.isRedacted {
      if !isFirst { bytes.append(0x2C) }
      isFirst = false
      // A name of GraphQL needs no escapes, and what the database wrote is not read again.
      Self.append("\"\(result.plan.name)\":", to: &bytes)
      bytes.append(contentsOf: result.text)
    }
    bytes.append(0x7D)
    let errors = errors
    if !errors.isEmpty {
      Self.append(",\"errors\":\(JSONCoding.text(of: .array(errors.map(\.json))))", to: &bytes)
    }
    let notes = results.filter { !$0.plan.field.isRedacted }.flatMap(\.notes)
    var extensions = JSONObject()
    if !notes.isEmpty { extensions["dataConnect"] = .array(notes.map(\.json)) }
    if let statements { extensions["annex"] = ["statements": statements.json] }
    if !extensions.isEmpty { Self.append(",\"extensions\":\(JSONCoding.text(of: .object(extensions)))", to: &bytes) }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) { bytes.append(contentsOf: text.utf8) }
}

/// The SQL that the fields of an operation became. Its texts have `$1` in the place of each value, so that nobody's values are
/// in them.
struct ExecutedStatements: Sendable {
  /// The most statements, and the most bytes of them all.
  private static let (most, mostBytes) = (100, 256 << 10)

  private var statements: [(path: [GraphQLError.PathElement], sql: String)] = []
  private var bytes = 0
  private var hasMore = false

  mutating func add(_ sql: String, at path: [GraphQLError.PathElement]) {
    guard statements.count < Self.most, bytes + sql.utf8.count <= Self.mostBytes else {
      hasMore = true
      return
    }
    bytes += sql.utf8.count
    statements.append((path, sql))
  }

  /// `[{"path": ["movies"], "sql": "SELECT …"}]`; the last one is `null` when there were more than are told.
  var json: JSONValue {
    let told: [JSONValue] = statements.map { ["path": .array($0.path.map(\.json)), "sql": .string($0.sql)] }
    return .array(told + (hasMore ? [.null] : []))
  }
}
