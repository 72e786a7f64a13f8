import ExtensionProtocol

/// A snapshot of what a host has counted since it was made, and of its present state.
///
/// Its size does not depend on peers: extension points, kinds of failures and codes are tables of the host, and at most
/// ``extensionLimit`` extensions have figures of their own.
public struct HostMetrics: Sendable, Equatable {
  /// Something that takes time, counted.
  public struct Timing: Sendable, Equatable {
    /// How long each took.
    public var times = LatencyHistogram()
    /// How many ended with an error.
    public var errors: Int64 = 0

    /// Makes the count of what never happened.
    public init() {}

    mutating func add(_ nanoseconds: UInt64, failed: Bool) {
      times.add(nanoseconds: nanoseconds)
      if failed { errors = errors.countingUp(1) }
    }
  }

  /// Requests and failures of one extension.
  public struct OfExtension: Sendable, Equatable {
    /// Scopes of ``ExtensionHost/withExtension(_:_:)``, from their begin to their end.
    public var requests = Timing()
    /// Processes that failed, as ``HealthRecord`` understands it.
    public var failures: Int64 = 0

    /// Makes the count of an extension that was never used.
    public init() {}
  }

  /// The largest number of extensions with figures of their own; further ones are counted as `other`.
  public static let extensionLimit = 200

  // MARK: Since the host was made

  /// Launches, up to the answer to `initialize`; those that did not come so far are the errors.
  public var launches = Timing()
  /// The number of requests that a process started ahead has served.
  public var warmRequests: Int64 = 0
  /// By the identifier of the extension.
  public var extensions: [String: OfExtension] = [:]
  /// Requests that ended with an error, by the code's name; codes that the host's table lacks are `other`.
  public var requestErrors: [String: Int64] = [:]
  /// Processes that failed, by kind.
  public var failures: [FailureKind: Int64] = [:]
  /// The host's calls of extensions, by the name of the extension point.
  public var calls: [String: Timing] = [:]
  /// Calls of extensions that the host served, by the name of the extension point.
  public var served: [String: Timing] = [:]
  /// Bytes of messages from and to extensions.
  public var bytesReceived: Int64 = 0
  /// Bytes of messages to extensions.
  public var bytesSent: Int64 = 0

  // MARK: Now

  /// Processes of extensions that are there.
  public var alive = 0
  /// Of these, processes that are kept, in use or not.
  public var kept = 0
  /// Requests that are open, and those of them that wait for a process or a launch.
  public var openRequests = 0
  /// Requests that wait for a process or a launch.
  public var waitingRequests = 0
  /// Descriptors of this process that are open.
  public var descriptors = 0
  /// How many it may have.
  public var descriptorLimit = 0

  /// Makes the metrics of a host that has done nothing.
  public init() {}
}

extension ExtensionHost {
  /// What this host has counted, and how it is now. Takes a look at `/proc/self/fd`, and no time of the extensions.
  public func metrics() async -> HostMetrics {
    var metrics = meter.snapshot
    for supervisor in knownSupervisors {
      let (received, sent) = await supervisor.traffic
      metrics.bytesReceived = metrics.bytesReceived.countingUp(received)
      metrics.bytesSent = metrics.bytesSent.countingUp(sent)
    }
    metrics.alive = await surroundings.processes
    metrics.kept = await pool.count
    metrics.openRequests = requests.count
    metrics.waitingRequests = await places.counts.waiting + launches.counts.waiting
    metrics.descriptors = DescriptorLimit.used
    metrics.descriptorLimit = DescriptorLimit.soft
    return metrics
  }
}
