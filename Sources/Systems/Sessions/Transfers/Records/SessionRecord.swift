/// A session as the journal keeps it.
package struct SessionRecord: Sendable, Equatable {
  /// How far the life of a session has come.
  package enum State: String, Sendable, CaseIterable {
    case open
    /// Takes no more tasks, and ends with the last one.
    case finishing
    /// Takes no more tasks, and has none that could still run. What its owner was not told yet is kept.
    case invalidated
  }

  package let key: SessionKey
  /// The bundle identifier of who created it: the containing app, or one of its extensions.
  package var owner: String
  /// Grows with every change of the owner: who names a smaller one is refused.
  package var epoch: Int64
  /// The app group of the shared container.
  package var group: String
  /// The absolute path of the shared container on this machine.
  package var container: String
  /// The machine that the container is on.
  package var machine: String
  package var configuration: SessionConfiguration
  /// Folders or files in which a daemon finds the manifests of the app and its extensions.
  package var manifests: [String]
  package var state = State.open
  /// Seconds since 1970.
  package var createdAt: Double = 0

  package init(
    key: SessionKey, owner: String, epoch: Int64, group: String, container: String, machine: String = "",
    configuration: SessionConfiguration = SessionConfiguration(), manifests: [String] = []
  ) {
    self.key = key
    self.owner = owner
    self.epoch = epoch
    self.group = group
    self.container = container
    self.machine = machine
    self.configuration = configuration
    self.manifests = manifests
  }
}
