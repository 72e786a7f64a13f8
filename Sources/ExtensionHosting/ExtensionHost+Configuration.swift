public import ExtensionProtocol

extension ExtensionHost {
  /// How long the host waits for what.
  public struct Deadlines: Sendable {
    /// From the start of the process to its answer to `initialize`.
    public var handshake: Duration = .seconds(5)
    /// For a service's answer to an extension.
    public var service: Duration = .seconds(30)
    /// From `terminate` to the end by force.
    public var termination: Duration = .seconds(2)

    public init() {}
  }

  /// What a host is made of.
  public struct Configuration: Sendable {
    public var registry: ExtensionRegistry
    public var state: StateDirectory
    /// The host's name and version, as extensions see it.
    public var peer: Peer
    /// The absolute path of the `extension-launcher` executable.
    public var launcherPath: String
    public var allowlist: Allowlist
    public var deadlines = Deadlines()
    public var log: any LogSink
    /// Writes down the frames of every extension that is started.
    package var recorder: FrameRecorder?

    public init(
      registry: ExtensionRegistry, state: StateDirectory, launcherPath: String, peer: Peer = Peer(name: "annex"),
      allowlist: Allowlist = .standard, log: any LogSink = NoLog()
    ) {
      self.registry = registry
      self.state = state
      self.launcherPath = launcherPath
      self.peer = peer
      self.allowlist = allowlist
      self.log = log
    }
  }
}
