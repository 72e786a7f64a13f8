import EventLoop
public import ExtensionProtocol
public import JSON
public import JSONRPC

/// Calls for which this program has no types: those of an announced point.
extension ExtensionProcess {
  /// Calls a method of the extension with any params, and takes any result.
  ///
  /// - Parameters:
  ///   - method: the wire name.
  ///   - params: an object.
  ///   - rule: how long the call may take.
  ///   - onProgress: hears on the host's loop how far the extension has come; must not block.
  /// - Throws: as ``call(_:deadline:onProgress:)``; the shape of the result is for the caller to check.
  public func call(
    _ method: String, params: JSONValue, rule: RequestDeadline = .standard,
    onProgress: (@Sendable (CallProgress) -> Void)? = nil
  ) async throws(ExtensionError) -> JSONValue {
    do {
      return try await answer(method, params, returning: JSONValue.self, rule, onProgress)
    } catch {
      throw await explain(error, during: method, rule)
    }
  }

  /// Sends a notification with any params; an extension that has exited does not hear it.
  public func notify(_ method: String, params: JSONValue) async { try? await connection.notify(method, params) }
}
