import EventLoop
import ExtensionProtocol
import JSON
import JSONRPC
import Sandbox

/// A process that the host started, before and after its handshake.
struct LaunchedExtension: ExtensionLink {
  let connection: Connection
  let monitor: ProcessMonitor
  let owner: ExtensionUser?
  let folders: ExtensionFolders
  let quota: DiskQuota
  let work: OpenWork
  let group: ControlGroup?

  var directories: Initialize.Directories { folders.directories }

  func process(of instance: ExtensionInstance) -> ExtensionProcess {
    ExtensionProcess(
      of: instance, connection: connection, scratch: folders.scratch, monitor: monitor, owner: owner, work: work)
  }

  func kill(_ why: KillReason) { monitor.assumeIsolated { $0.kill(why.exitReason) } }

  /// Sends `terminate`, closes the standard input, and kills the process at the end of the grace period; half of the
  /// period is for the answer. A cancelled task skips the request. When this returns, the whole process tree is gone.
  func end(_ deadlines: ExtensionHost.Deadlines, reason: StopReason) async {
    let grace = deadlines.termination
    let limit = ContinuousClock.now + grace
    await monitor.lookLast()
    let terminate = Terminate(reason: reason.rawValue, graceMs: Int(grace.wholeMilliseconds))
    if !Task.isCancelled {
      _ = try? await connection.call(Terminate.method, terminate, returning: JSONValue.self, deadline: grace / 2)
    }
    await connection.close(.finished)
    await connection.releaseOutput()
    await monitor.closeStandardInput()
    if await monitor.exit(within: limit - ContinuousClock.now) == .unknown {
      await monitor.end(byForce: .stopped("it did not end when it was asked to"))
    }
    await monitor.streamsEnd(within: .seconds(1))
    await monitor.release()
    await removeGroup()
  }

  /// Measures the container again, because the process may have filled it between the last measurement and its end, and
  /// removes the scratch directory.
  func cleanUp() async -> DiskExcess? {
    await SystemThread.run(name: "annex-clean-up") {
      defer { try? StateDirectory.remove(folders.scratch) }
      return quota.excess()
    }
  }

  /// The kernel may count a process for a moment after it has been reaped. What stays nevertheless is removed by the next
  /// host.
  private func removeGroup() async {
    guard let group else { return }
    for _ in 0..<20 where !group.remove() { try? await monitor.loop.sleep(for: .milliseconds(10)) }
  }
}
