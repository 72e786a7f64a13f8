import Contracts
public import ExtensionRuntime

extension ExtensionContext {
  /// Asks the host to open a URL of the containing app. Only a Today widget may.
  ///
  /// - Returns: whether the app took it; a refusal is `false`, never an error.
  public func open(_ url: String) async -> Bool {
    let result = try? await call(OpenURL.Open(requestID: requestID, url: url))
    return result?.success ?? false
  }
}
