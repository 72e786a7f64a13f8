package import ExtensionProtocol
import Sandbox

/// A confined process of an extension that has received no message yet, for tools that speak to it byte by byte. Valid
/// inside ``ExtensionHost/withRawExtension(_:_:)``.
package struct RawExtension: Sendable {
  private let process: SandboxedProcess
  /// The writing end of the extension's standard input. Non-blocking; closed with ``closeStandardInput()`` only.
  package var standardInput: Int32 { process.standardInput }
  /// The reading end of the extension's standard output. Non-blocking.
  package var standardOutput: Int32 { process.standardOutput }
  /// The params of a host's first message.
  package let greeting: Initialize
  /// The limits of the extension.
  package let limits: ExtensionLimits
  private let monitor: ProcessMonitor

  init(_ process: SandboxedProcess, greeting: Initialize, limits: ExtensionLimits, monitor: ProcessMonitor) {
    self.process = process
    self.greeting = greeting
    self.limits = limits
    self.monitor = monitor
  }

  /// Closes the extension's standard input. Nothing may be written afterwards.
  package func closeStandardInput() async { await monitor.closeStandardInput() }

  /// Waits for the end of the process.
  ///
  /// - Returns: `unknown` when it has not ended within the limit.
  package func exit(within limit: Duration) async -> ExitReason { await monitor.exit(within: limit) }

  /// The last lines of its standard error, safe to print.
  package var standardError: [String] { get async { await monitor.standardError } }

  /// Returns the current use of ``ExtensionLimits/memory`` in bytes; `nil` when the process has ended or cannot be
  /// measured.
  package func memory() -> UInt64? {
    guard var sampler = ProcessSampler(launcher: process.pid) else { return nil }
    if case .figures(let figures) = sampler.look() { return figures.memory }
    return nil
  }
}

extension ExtensionHost {
  /// Starts a target in its sandbox, sends nothing to it, and kills it after the body. The run does not affect its
  /// health, and services do not learn of it.
  ///
  /// - Throws: the errors of the start, and those of the body.
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
