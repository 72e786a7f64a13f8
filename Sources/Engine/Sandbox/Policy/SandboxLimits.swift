/// What one extension may use, enforced by the kernel for its process. The defaults suit a Swift program.
package struct SandboxLimits: Sendable, Hashable, Codable {
  /// Memory that is written to, in bytes: a backstop behind the watchdog's limit. Address space is never limited,
  /// because the Swift runtime reserves far more of it than it uses.
  package var data: UInt64 = 512 << 20
  /// The stack of each thread, in bytes. Also what keeps many threads below the limit of `data`.
  package var stack: UInt64 = 1 << 20
  /// Threads. Enforced by the kernel only where the extension has a user id, or a user namespace, of its own.
  package var threads: UInt64 = 128
  /// The largest number of open descriptors.
  package var descriptors: UInt64 = 256
  /// One file, in bytes.
  package var fileSize: UInt64 = 64 << 20

  /// Signals that wait to be taken. The kernel counts them for the whole user: with more of them an extension could use up
  /// those of all other programs.
  private static let pendingSignals: UInt64 = 64

  /// Creates the default limits.
  package init() {}

  /// The resource numbers of Linux, the same on x86_64 and aarch64.
  private enum Resource: UInt32 {
    case fileSize = 1
    case data, stack, core
    case processes = 6
    case descriptors, lockedMemory
    case pendingSignals = 11
    case messageQueue
    case nice, realTimePriority
  }

  /// The user whose threads and processes the kernel counts against the limit of an extension.
  enum Counting: Sendable {
    /// All of the host's user: no limit is set.
    case nothing
    /// Those of the sandbox: the extension's threads, and the two processes of its launcher.
    case sandbox
    /// The user of all extensions of one app. The kernel's limit allows for several of them, so that one extension
    /// cannot starve the others; the host watches the number of each.
    case app
  }

  private static let extensionsOfAnApp: UInt64 = 8
  static let launcherProcesses: UInt64 = 2

  /// Returns resource numbers and values in the order in which they are set.
  func entries(counting: Counting) -> [(resource: UInt32, value: UInt64)] {
    var entries: [(Resource, UInt64)] = [
      (.core, 0), (.lockedMemory, 0), (.messageQueue, 0), (.nice, 0), (.realTimePriority, 0),
      (.pendingSignals, Self.pendingSignals),
      (.fileSize, fileSize), (.data, data), (.stack, stack), (.descriptors, descriptors),
    ]
    let processes = min(threads, UInt64(UInt32.max)) + Self.launcherProcesses
    switch counting {
    case .nothing: break
    case .sandbox: entries.append((.processes, processes))
    case .app: entries.append((.processes, processes * Self.extensionsOfAnApp))
    }
    return entries.map { ($0.0.rawValue, $0.1) }
  }
}
