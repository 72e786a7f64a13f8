import Synchronization

/// The connection that a program serves from its main thread: that of an extension to its host.
///
/// A library that carries something to the host by itself finds it here, without being handed anything.
package enum MainConnection {
  private static let slot = Mutex<Connection?>(nil)

  /// `nil` in a program that is no extension.
  package static var current: Connection? { slot.withLock { $0 } }

  package static func set(_ connection: Connection) { slot.withLock { $0 = connection } }
}
