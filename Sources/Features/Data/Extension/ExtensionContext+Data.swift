public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

extension ExtensionContext {
  /// The connectors that this extension may ask, once its user agrees: those under `Annex.DataConnect`.
  ///
  /// Their operations are called through the packages that `host data generate` makes. With `import DataConnect` they go
  /// through the host by themselves; there is nothing to install.
  ///
  /// - Throws: `permissionDenied` without the user's consent.
  public func dataConnectors() async throws(ExtensionError) -> [DataContract.Connectors.Connector] {
    try await call(DataContract.Connectors()).connectors
  }
}
