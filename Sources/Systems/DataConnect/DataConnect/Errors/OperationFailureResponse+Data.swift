public import DataConnectWire
import JSON

extension OperationFailureResponse {
  /// What there is in spite of the errors.
  ///
  /// - Returns: `nil` when there is nothing.
  /// - Throws: `DataConnectCodecError` when it has another shape, as where a field is missing that has failed.
  public func data<Value: Decodable>(asType type: Value.Type = Value.self) throws -> Value? {
    guard let value, !value.isNull else { return nil }
    return try ResponseValue.decode(type, from: value)
  }
}
