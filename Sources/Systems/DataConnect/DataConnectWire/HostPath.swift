import Synchronization

/// The transport through the host of an extension. The program's clients use it where nobody named another one.
package enum HostPath {
  private static let slot = Mutex<(any DataConnectTransport)?>(nil)

  /// `nil` in a program that is no extension.
  package static var transport: (any DataConnectTransport)? { slot.withLock(\.self) }

  /// Sets the transport, once, when the session of an extension begins.
  package static func set(_ transport: any DataConnectTransport) { slot.withLock { $0 = transport } }
}
