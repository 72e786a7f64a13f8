import ExtensionProtocol
import JSONRPC

/// A process that has been started, before and after its handshake.
struct LaunchedExtension: Sendable {
  let connection: Connection
  let monitor: ProcessMonitor
  let owner: ExtensionUser?
  let folders: ExtensionFolders

  /// What `initialize` tells it.
  func parameters(for target: LaunchTarget, _ configuration: ExtensionHost.Configuration) -> Initialize {
    let identity = target.identity
    return Initialize(
      host: configuration.peer,
      extension: Initialize.Identity(
        id: identity.id, version: identity.version, point: identity.point, containingApp: identity.containingApp),
      permissions: Dictionary(identity.entitlements.map { ($0, "granted") }, uniquingKeysWith: { first, _ in first }),
      directories: folders.directories)
  }

  /// Ends the process: asks, closes its standard input, and after the grace period uses force. When this returns, the
  /// whole process tree and the scratch directory are gone.
  func end(_ process: ExtensionProcess, _ deadlines: ExtensionHost.Deadlines) async {
    let grace = deadlines.termination
    let (seconds, attoseconds) = grace.components
    let terminate = Terminate(
      reason: "idle", graceMs: Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    _ = try? await connection.call(Terminate.method, terminate, returning: JSONValue.self, deadline: grace)
    await connection.close(.finished)
    if await monitor.exit(within: grace) == .unknown {
      await monitor.kill(reason: "it did not end when it was asked to")
      _ = await monitor.exit(within: .seconds(5))
    }
    await monitor.release()
    try? StateDirectory.remove(folders.scratch)
  }
}
