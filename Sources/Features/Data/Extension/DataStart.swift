import DataConnectWire
import ExtensionRuntime

/// Has the clients of generated packages reach their connectors through the extension's host, so that an author
/// registers nothing.
enum DataStart: SessionStart {
  static func begin(_ session: ExtensionSession) { HostPath.set(HostTransport(session)) }
}
