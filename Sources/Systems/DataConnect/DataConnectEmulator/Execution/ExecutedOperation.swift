import DataConnectCompiler
import JSON

/// The result of an operation.
package struct ExecutedOperation: Sendable {
  let results: [FieldResult]
  /// The error of the operation as a whole; `nil` without one.
  var failure: OperationError?

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
    if !notes.isEmpty {
      Self.append(
        ",\"extensions\":{\"dataConnect\":\(JSONCoding.text(of: .array(notes.map(\.json))))}", to: &bytes)
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) { bytes.append(contentsOf: text.utf8) }
}
