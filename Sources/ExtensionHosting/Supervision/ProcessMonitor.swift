import EventLoop
import ExtensionProtocol
import Glibc
import Sandbox

/// Watches one process from its first moment: drains its standard error, hears what the launcher says, and learns when
/// and how it ends.
actor ProcessMonitor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private var process: SandboxedProcess
  private let name: String
  private let log: any LogSink
  private var ring = StandardErrorRing()
  private var status = LaunchStatus.Decoder()
  private var told: ExitReason?
  private var stopReason: String?
  private var ended: ExitReason?
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var watches: [EventLoop.Watch] = []

  init(_ process: SandboxedProcess, name: String, loop: EventLoop, log: any LogSink) {
    self.process = process
    self.name = name
    self.loop = loop
    self.log = log
  }

  /// The last lines of standard error, oldest first, safe to print.
  var standardError: [String] { ring.lines }
}
