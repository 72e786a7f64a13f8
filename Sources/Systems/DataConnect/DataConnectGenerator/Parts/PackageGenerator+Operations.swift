import DataConnectCompiler

extension PackageGenerator {
  /// The enumerations of the schema and the operations of the connector.
  var operationsText: String {
    var code = CodeWriter()
    code.line()
    code.line("// MARK: Operations")
    for operation in connector.connector.operations {
      code.line()
      let writer = OperationWriter(
        operation: operation, name: typeName(of: operation), types: types, schema: schema,
        publisher: generation.publisher)
      writer.write(&code)
    }
    return head + enumerationsText + code.text
  }
}
