public import DataConnectWire
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

extension OperationFailureResponse {
  /// What there is in spite of the errors.
  ///
  /// - Returns: `nil` when there is nothing, or when it has another shape, as where a field is missing that has failed.
  public func data<Value: Decodable>(asType type: Value.Type = Value.self) -> Value? {
    guard let value, !value.isNull else { return nil }
    return try? ResponseValue.decode(type, from: value)
  }
}
