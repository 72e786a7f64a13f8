public import ExtensionProtocol
package import JSONRPC

extension ExtensionHost {
  /// How long the host waits for what.
  public struct Deadlines: Sendable {
    /// From the start of the process to its answer to `initialize`.
    public var handshake: Duration = .seconds(5)
    /// For a service's answer to an extension.
    public var service: Duration = .seconds(30)
    /// From `terminate` to the end by force.
    public var termination: Duration = .seconds(2)
    /// From the start of the process to a warning in the log.
    public var slowLaunch: Duration = .seconds(1)
    /// For what an extension still does after its request has ended.
    public var completion: Duration = .seconds(5)
    /// Between two pings of a process that is kept; one that misses two in a row is ended. The time doubles with each
    /// answer, to eight times as long, until the process serves a request.
    public var ping: Duration = .seconds(10)
    /// How long a start may wait because the extension failed lately; a longer wait is refused with `quarantined`.
    public var backOff: Duration = .seconds(8)
    /// How long a request may wait for a process, see ``Capacity``; a longer wait is refused with `limitExceeded`.
    public var queue: Duration = .seconds(30)
    /// How often a host looks whether a restart was asked for, memory is short, or another version is there.
    package var look: Duration = .seconds(1)
    /// From the first byte of a message to its last.
    package var message: Duration = .seconds(10)

    /// Makes the deadlines that a host has when nothing else is said.
    public init() {}
  }

  /// Which extensions a host may start ahead; see ``ExtensionHost/prewarm(_:)``.
  public struct Warm: Sendable {
    /// At most so many processes are kept at once; none is with 0.
    public var capacity: Int
    /// A process that serves nothing for so long is ended.
    public var idleTime: Duration
    /// Whether memory is short, in which case kept processes are ended.
    package var isMemoryShort: @Sendable () -> Bool = { MemoryPressure.isHigh }

    /// Makes the rule for a host.
    ///
    /// - Parameters:
    ///   - capacity: the most processes that are kept; 0 keeps none.
    ///   - idleTime: how long one is kept that serves nothing.
    public init(capacity: Int = 4, idleTime: Duration = .seconds(10)) {
      self.capacity = capacity
      self.idleTime = idleTime
    }
  }

  /// What a host is made of.
  public struct Configuration: Sendable {
    /// Which extensions there are.
    public var registry: ExtensionRegistry
    /// The extension points that the host knows: those that its registry checks manifests for.
    public var points: ExtensionPointTable { registry.points }
    /// Where everything is kept that outlives the host: containers, health, permissions, snapshots.
    public var state: StateDirectory
    /// The host's name and version, as extensions see it.
    public var peer: Peer
    /// The absolute path of a file `extension-launcher`. When absent, it is the file that the environment variable
    /// `ANNEX_LAUNCHER` names, else the copy that this library has in it.
    public var launcherPath: String?
    /// What extensions may call; when absent, what the contracts of the host's services and the definitions of its
    /// extension points say.
    public var allowlist: Allowlist?
    /// Extension points whose extensions the host app does not use, whoever made them: they are neither offered nor started
    /// (`application(_:shouldAllowExtensionPointIdentifier:)`).
    public var refusedPoints: Set<ExtensionPoint> = []
    /// How long the host waits for what.
    public var deadlines = Deadlines()
    /// Limits in place of those of the extension point. A manifest can lower them further.
    public var limits: [ExtensionPoint: ExtensionLimits] = [:]
    /// What the host itself keeps in memory for one process of an extension, in bytes: messages that wait or are worked
    /// on, answers that nobody has read, what services collect of it. Who makes it more is ended. At least
    /// ``leastHeldMemory``; by default twice the largest file that changes hands.
    public var heldMemory = 128 << 20
    /// The least that ``heldMemory`` can be, in bytes: a few messages of the largest size.
    public static let leastHeldMemory = 16 << 20
    /// Whether the kernel bounds the memory of extensions by control groups.
    public var controlGroups = ControlGroupUse.delegated
    /// How much the host does at once.
    public var capacity = Capacity()
    /// Whether the host raises this process's own limit of open descriptors to the hard one (`ulimit -Hn`): each extension
    /// that runs takes five. Extensions have a limit of their own. Programs that use `select` must not have it raised.
    public var raisesDescriptorLimit = true
    /// Which extensions may be started ahead, and how many.
    public var warm = Warm()
    /// Whether the program that confines extensions waits for the next launch, for ten seconds after each launch that
    /// follows another: one process of some 200 KiB, without which a launch takes longer by a third.
    public var keepsLauncher = true
    /// Where the host's log and that of its extensions go; by default nowhere.
    public var log: any LogSink
    /// Knows what users allow extensions.
    public var permissions: PermissionAuthority
    /// Writes down the frames of every extension that is started.
    package var recorder: FrameRecorder?

    /// - Parameters:
    ///   - registry: which extensions there are.
    ///   - state: where everything is kept.
    ///   - launcherPath: the absolute path of a file `extension-launcher`; hosts need none, see ``launcherPath``.
    ///   - peer: the host's name and version, as extensions see it.
    ///   - allowlist: who may call what; when absent, what the contracts of the services say.
    ///   - log: where the host's log goes; by default nowhere.
    ///   - permissions: when absent, what `permissions.json` in the state directory says; nobody is asked.
    public init(
      registry: ExtensionRegistry, state: StateDirectory, launcherPath: String? = nil, peer: Peer = Peer(name: "annex"),
      allowlist: Allowlist? = nil, log: any LogSink = NoLog(), permissions: PermissionAuthority? = nil
    ) {
      self.registry = registry
      self.state = state
      self.launcherPath = launcherPath
      self.peer = peer
      self.allowlist = allowlist
      self.log = log
      self.permissions = permissions ?? PermissionAuthority(state: state, log: log)
    }

    /// The limits of a connection to an extension.
    package var wire: Connection.Configuration {
      Connection.Configuration(
        maximumHeldBytes: max(heldMemory, Self.leastHeldMemory), partialMessage: deadlines.message)
    }

    /// What one process of the target may use: what its point allows, lowered by its manifest.
    package func effectiveLimits(of target: LaunchTarget) -> ExtensionLimits {
      largestLimits(of: target).lowered(by: target.limits)
    }

    /// What one process at the target's point may use, when its manifest lowers nothing.
    func largestLimits(of target: LaunchTarget) -> ExtensionLimits {
      let point = target.identity.point
      return limits[point] ?? points.definition(of: point).limits
    }
  }
}
