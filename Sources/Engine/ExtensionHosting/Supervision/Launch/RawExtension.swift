package import ExtensionProtocol
import Sandbox

/// A confined process of an extension to which nobody has said anything yet: for tools that speak to it byte by byte.
/// Valid inside ``ExtensionHost/withRawExtension(_:_:)``.
package struct RawExtension: Sendable {
  private let process: SandboxedProcess
  /// What is written here it reads. Non-blocking; closed with ``closeStandardInput()`` only.
  package var standardInput: Int32 { process.standardInput }
  /// What it writes can be read here. Non-blocking.
  package var standardOutput: Int32 { process.standardOutput }
  /// What a host would say to it first.
  package let greeting: Initialize
  /// What it may use.
  package let limits: ExtensionLimits
  private let monitor: ProcessMonitor

  init(_ process: SandboxedProcess, greeting: Initialize, limits: ExtensionLimits, monitor: ProcessMonitor) {
    self.process = process
    self.greeting = greeting
    self.limits = limits
    self.monitor = monitor
  }

  /// Lets it see the end of its standard input. Nothing may be written afterwards.
  package func closeStandardInput() async { await monitor.closeStandardInput() }

  /// Waits for the end of the process.
  ///
  /// - Returns: `unknown` when it has not ended within the limit.
  package func exit(within limit: Duration) async -> ExitReason { await monitor.exit(within: limit) }

  /// The last lines of its standard error, safe to print.
  package var standardError: [String] { get async { await monitor.standardError } }

  /// What it uses of ``ExtensionLimits/memory`` now, in bytes; `nil` when it has ended or cannot be looked at.
  package func memory() -> UInt64? {
    guard var sampler = ProcessSampler(launcher: process.pid) else { return nil }
    if case .figures(let figures) = sampler.look() { return figures.memory }
    return nil
  }
}

extension ExtensionHost {
  /// Starts a target in its sandbox, says nothing to it, and ends it by force after the body. No health is remembered of
  /// it, and no service hears of it.
  ///
  /// - Throws: what starting throws, and what the body throws.
  package func withRawExtension<Result: Sendable>(
    _ target: LaunchTarget, _ body: (RawExtension) async throws -> Result
  ) async throws -> Result {
    let target = try await configuration.permissions.settle(target, in: configuration.registry)
    let (process, monitor, folders) = try await launcher.launchSilently(target)
    let raw = RawExtension(
      process, greeting: parameters(target, folders.directories, target.permissions),
      limits: configuration.effectiveLimits(of: target),
      monitor: monitor)
    let outcome: Swift.Result<Result, any Error>
    do { outcome = .success(try await body(raw)) } catch { outcome = .failure(error) }
    await monitor.closeStandardInput()
    await monitor.end(byForce: .stopped("its tool was done with it"))
    await monitor.streamsEnd(within: .seconds(1))
    await monitor.release()
    try? StateDirectory.remove(folders.scratch)
    return try outcome.get()
  }
}
