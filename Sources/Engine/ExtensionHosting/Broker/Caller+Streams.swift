public import JSONRPC

extension Caller {
  /// Opens a stream to the caller, for what is too large for one answer: put its `id` into the result.
  ///
  /// Nothing is sent before the caller reads. Send in the handler, or in a task of the service's own.
  ///
  /// - Throws: `queueFull` when too many streams are open, `peerExited` when the caller is gone.
  public func openStream() throws(ExtensionError) -> OutgoingStream { try process.openStream() }

  /// Returns a stream that the caller has opened, whose `id` arrived in the params.
  ///
  /// - Throws: `streamUnknown` when the stream is being read already or has ended.
  public func stream(_ id: String) throws(ExtensionError) -> IncomingStream { try process.stream(id) }
}

extension ExtensionProcess {
  /// Opens a stream to the extension: pass its `id` in the params of a call.
  ///
  /// - Throws: `queueFull` when too many streams are open, `peerExited` when the extension is gone.
  public func openStream() throws(ExtensionError) -> OutgoingStream {
    do { return try connection.openStream() } catch { throw ExtensionError(error) }
  }

  /// Returns a stream that the extension has opened, whose `id` arrived in a result.
  ///
  /// - Throws: `streamUnknown` when the stream is being read already or has ended.
  public func stream(_ id: String) throws(ExtensionError) -> IncomingStream {
    do { return try connection.incomingStream(id) } catch { throw ExtensionError(error) }
  }
}
