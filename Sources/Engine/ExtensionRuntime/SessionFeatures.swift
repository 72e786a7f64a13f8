import ExtensionProtocol
package import JSONRPC
import Synchronization

/// The state that a feature keeps for one session of an extension. It is created at its first use, then receives the
/// feature's notifications and answers the host's requests.
package protocol SessionFeature: AnyObject, Sendable {
  /// The wire names of the notifications that it gets.
  static var notifications: [String] { get }
  /// What it serves, unless the extension's own handlers do.
  var handlers: [SessionHandler] { get }
  init()
  /// A notification, on the connection's loop and in the order of arrival.
  func receive(_ message: borrowing IncomingMessage)
}

extension SessionFeature {
  /// No notifications.
  package static var notifications: [String] { [] }
  /// No handlers.
  package var handlers: [SessionHandler] { [] }
  /// Does nothing.
  package func receive(_ message: borrowing IncomingMessage) {}
}

/// The features of one session.
package final class SessionFeatures: Sendable {
  private struct State {
    var features: [ObjectIdentifier: any SessionFeature] = [:]
    var listeners: [String: [any SessionFeature]] = [:]
    var handlers: [String: SessionHandler] = [:]
  }

  private let state = Mutex(State())

  init() {}

  /// The session's one feature of a type.
  package func feature<Feature: SessionFeature>(_ type: Feature.Type) -> Feature {
    state.withLock { state in
      if let known = state.features[ObjectIdentifier(type)] as? Feature { return known }
      let feature = Feature()
      state.features[ObjectIdentifier(type)] = feature
      for method in type.notifications { state.listeners[method, default: []].append(feature) }
      for handler in feature.handlers { state.handlers[handler.method] = handler }
      return feature
    }
  }

  /// The handler of a request that one of the features serves.
  func handler(of method: String) -> SessionHandler? { state.withLock { $0.handlers[method] } }

  /// Passes a notification to the features that handle it.
  func receive(_ message: borrowing IncomingMessage) {
    let method = message.method
    let listeners = state.withLock { $0.listeners[method] ?? [] }
    for listener in listeners { listener.receive(message) }
  }
}

/// A feature that does something once, when the only session of an extension's process begins.
package protocol SessionStart: Sendable {
  /// Called before the session reads its first message.
  static func begin(_ session: ExtensionSession)
}
