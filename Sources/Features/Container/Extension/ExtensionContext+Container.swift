public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

extension ExtensionContext {
  /// The folder that the extension shares with its containing app and its other extensions
  /// (`containerURL(forSecurityApplicationGroupIdentifier:)`), and whether it may write there.
  ///
  /// Who writes there keeps order among the writers itself: a new file under another name, renamed when it is whole, is
  /// seen whole or not at all. For values there is ``defaults(suiteName:)``.
  ///
  /// - Throws: `groupNotEntitled` unless the extension and its containing app name the group.
  public func sharedContainer(group: String) async throws(ExtensionError) -> Container.Path.Result {
    try await call(Container.Path(group: group))
  }
}
