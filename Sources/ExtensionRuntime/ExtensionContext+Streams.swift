public import ExtensionProtocol
public import JSONRPC

extension ExtensionContext {
  /// Opens a stream to the host: pass its `id` in the params of a call, and send what is too large for one message.
  ///
  /// - Throws: `queueFull` when too many streams are open, `peerExited` when the host is gone.
  public func openStream() throws(ExtensionError) -> OutgoingStream {
    do { return try session.connection.openStream() } catch { throw ExtensionError(error) }
  }

  /// Reads a stream of the host: its `id` came in a result or in the params of a request.
  ///
  /// - Throws: `streamUnknown` when it is being read already or is over.
  public func stream(_ id: String) throws(ExtensionError) -> IncomingStream {
    do { return try session.connection.incomingStream(id) } catch { throw ExtensionError(error) }
  }
}
