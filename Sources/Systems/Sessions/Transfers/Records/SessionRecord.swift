import Text

/// A session as the journal stores it.
package struct SessionRecord: Sendable, Equatable {
  /// The stages of a session's life.
  package enum State: String, Sendable, CaseIterable {
    case open
    /// The session accepts no more tasks and ends with its last task.
    case finishing
    /// The session accepts no more tasks, and none can still run. Undelivered events are kept.
    case invalidated
  }

  /// The app and the identifier that name the session.
  package let key: SessionKey
  /// The bundle identifier of the session's owner: the containing app, or one of its extensions.
  package var owner: String
  /// A number that grows with each change of the owner. The journal refuses a call with a smaller one.
  package var epoch: Int64
  /// The token of the lease under which the owner was last changed: it grows too, within one store.
  package var token: Int64
  /// The store that gave that lease.
  package var store: String
  /// The app group of the shared container.
  package var group: String
  /// The absolute path of the shared container on this machine.
  package var container: String
  /// The machine that holds the container.
  package var machine: String
  /// How the session transfers.
  package var configuration: SessionConfiguration
  /// The folders or files in which a daemon finds the manifests of the app and its extensions.
  package var manifests: [String]
  /// The stage of the session's life.
  package var state = State.open
  /// The time of creation, in seconds since 1970.
  package var createdAt: Double = 0

  /// Creates the record of an open session.
  ///
  /// - Parameters:
  ///   - epoch: the token of the owner's lease. The journal makes a larger epoch of it when the lease is of another store
  ///     than the one before.
  ///   - store: the store of the lease.
  package init(
    key: SessionKey, owner: String, epoch: Int64, of store: String = "", group: String, container: String,
    machine: String = "",
    configuration: SessionConfiguration = SessionConfiguration(), manifests: [String] = []
  ) {
    self.key = key
    self.owner = owner
    self.epoch = epoch
    token = epoch
    self.store = store
    self.group = group
    self.container = container
    self.machine = machine
    self.configuration = configuration
    self.manifests = manifests
  }
}

/// Which background session: code of one app chose its identifier.
package struct SessionKey: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The bundle identifier of the containing app.
  package let app: String
  /// The identifier that the app, or one of its extensions, chose.
  package let identifier: String

  package init(app: String, identifier: String) {
    (self.app, self.identifier) = (app, identifier)
  }

  package var description: String { "\(app)/\(identifier)" }

  /// By bytes, as the journal tells them apart.
  package static func == (left: SessionKey, right: SessionKey) -> Bool {
    left.app.hasBytes(of: right.app) && left.identifier.hasBytes(of: right.identifier)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ExactText(app))
    hasher.combine(ExactText(identifier))
  }
}
