import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

extension ExtensionContext {
  /// Whether a uniform type identifier is another one or conforms to it, as the host knows the types.
  ///
  /// - Throws: what any call to the host may throw, such as `deadlineExceeded`.
  public func type(_ type: String, conformsTo other: String) async throws(ExtensionError) -> Bool {
    try await call(TypeIdentifiers.Conforms(type: type, to: other)).value
  }
}
