package import JSON
package import ProtocolBuffers

/// `ExecuteQueryRequest`, `ExecuteMutationRequest`, and the `ExecuteRequest` of a stream, which names no connector.
package struct OperationMessage: Sendable, Hashable {
  /// `projects/P/locations/L/services/S/connectors/C`; empty in a stream.
  package var connector = ""
  /// The name of the operation.
  package var operation = ""
  /// The values of its variables.
  package var variables = JSONObject()

  /// Creates a message with fields.
  package init(connector: String = "", operation: String, variables: JSONObject = [:]) {
    self.connector = connector
    self.operation = operation
    self.variables = variables
  }

  /// - Throws: for bytes that are no such message, or variables beyond the limits.
  package init(_ bytes: ArraySlice<UInt8>) throws(ProtobufError) {
    var parts: [UInt8] = []
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch field.number {
      case 1: connector = try field.text()
      case 2: operation = try field.text()
      case 3: parts += try field.bytes()
      default: break
      }
    }
    variables = try ProtobufStruct.object(parts[...])
  }

  /// The message on the wire.
  package var bytes: [UInt8] {
    var writer = ProtobufWriter()
    write(to: &writer)
    return writer.bytes
  }

  func write(to writer: inout ProtobufWriter) {
    if !variables.isEmpty { writer.message(field: 3) { ProtobufStruct.write(variables, to: &$0) } }
    if !operation.isEmpty { writer.text(operation, field: 2) }
    if !connector.isEmpty { writer.text(connector, field: 1) }
  }
}
