/// What one process of an extension, and its container, may use. A host may raise it for a point, a manifest can only
/// lower it.
public struct ExtensionLimits: Sendable, Hashable {
  /// Memory that cannot be had back by writing it out or forgetting it: pages of its own and shared ones, in bytes.
  /// Read-only pages of programs and libraries do not count.
  public var memory: UInt64
  /// Threads at one time.
  public var threads: UInt64 = 128
  /// The largest number of open descriptors.
  public var descriptors: UInt64 = 256
  /// One file, in bytes.
  public var fileSize: UInt64 = 64 << 20
  /// The container and the scratch directory together, in bytes on the disk.
  public var containerSize: UInt64 = 256 << 20
  /// Files and folders in the container and the scratch directory together.
  public var containerFiles: UInt64 = 10_000
  /// Processor time while one request is open.
  public var requestCPU = Duration.seconds(30)
  /// Processor time while no request is open, in any ``idleWindow``.
  public var idleCPU = Duration.seconds(10)
  /// The window over which ``idleCPU`` is measured.
  public var idleWindow = Duration.seconds(30)

  /// - Parameter memoryMiB: ``memory`` in MiB; everything else is as above.
  public init(memoryMiB: UInt64) { memory = memoryMiB << 20 }

  /// Returns the limits with those that a manifest lowers. A limit that the manifest would raise stays unchanged.
  public func lowered(by manifest: Manifest.Limits) -> ExtensionLimits {
    var limits = self
    limits.memory = Self.lower(memory, manifest.memoryMiB, unit: 1 << 20)
    limits.threads = Self.lower(threads, manifest.threads)
    limits.descriptors = max(3, Self.lower(descriptors, manifest.descriptors))
    limits.fileSize = Self.lower(fileSize, manifest.fileMiB, unit: 1 << 20)
    limits.containerSize = Self.lower(containerSize, manifest.containerMiB, unit: 1 << 20)
    limits.containerFiles = Self.lower(containerFiles, manifest.containerFiles)
    if let seconds = manifest.cpuSeconds { limits.requestCPU = min(requestCPU, .seconds(max(1, seconds))) }
    limits.idleCPU = min(idleCPU, limits.requestCPU)
    return limits
  }

  /// The smaller of a bound and a manifest's count of units.
  private static func lower(_ bound: UInt64, _ count: Int?, unit: UInt64 = 1) -> UInt64 {
    guard let count else { return bound }
    let (value, isTooLarge) = UInt64(max(1, count)).multipliedReportingOverflow(by: unit)
    return isTooLarge ? bound : min(bound, value)
  }
}
