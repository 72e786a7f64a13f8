import DataConnectCompiler
import JSONRPC

/// What an operation came to.
package struct OperationResponse: Sendable {
  let results: [FieldResult]
  /// What concerns the operation as a whole.
  var failure: OperationError?

  /// In the order of the fields.
  package var errors: [OperationError] { [failure].compactMap(\.self) + results.compactMap(\.error) }

  /// The rows that it has written, each by what it is known by.
  var writes: Set<String> { Set(results.flatMap(\.writes)) }

  /// Whether something of a mutation was done.
  var hasEffect: Bool { results.contains { $0.error == nil } }

  /// JSON text of the data, which is not read again.
  package var data: [UInt8] {
    var bytes: [UInt8] = [0x7B]
    bytes.reserveCapacity(results.reduce(2) { $0 + $1.text.count + $1.plan.name.utf8.count + 4 })
    for result in results where !result.plan.field.isRedacted {
      if bytes.count > 1 { bytes.append(0x2C) }
      // A name of GraphQL needs no escapes.
      bytes.append(0x22)
      bytes.append(contentsOf: result.plan.name.utf8)
      bytes.append(contentsOf: [0x22, 0x3A])
      bytes.append(contentsOf: result.text)
    }
    bytes.append(0x7D)
    return bytes
  }

  /// The members `data`, `errors` and `extensions` with commas between them, without braces.
  package var members: [UInt8] {
    var bytes = Array("\"data\":".utf8)
    bytes += data
    if !errors.isEmpty {
      bytes += Array(",\"errors\":".utf8)
      bytes += Array(JSONCoding.text(of: .array(errors.map(\.json))).utf8)
    }
    let notes = results.filter { !$0.plan.field.isRedacted }.flatMap(\.notes)
    if !notes.isEmpty {
      bytes += Array(",\"extensions\":{\"dataConnect\":".utf8)
      bytes += Array(JSONCoding.text(of: .array(notes.map(\.json))).utf8)
      bytes.append(0x7D)
    }
    return bytes
  }

  /// The whole body.
  package var body: [UInt8] { [0x7B] + members + [0x7D] }
}
