import JSON

extension OperationResponse {
  /// The data of a response without errors; `nil` when nothing was kept.
  ///
  /// - Throws: `DataConnectOperationError` with all of the response when there are errors.
  func checkedData() throws -> JSONValue? {
    let data = self.data.flatMap { $0.isNull ? nil : $0 }
    if !errors.isEmpty {
      let words = errors.prefix(3).map { String($0.message.unicodeScalars.prefix(300)) }.joined(separator: "; ")
      throw DataConnectOperationError(message: words, response: OperationFailureResponse(errors: errors, value: data))
    }
    if data == nil, source == .server {
      throw DataConnectOperationError(
        message: "The server's response has no data.", response: OperationFailureResponse(errors: [], value: nil))
    }
    return data
  }
}
