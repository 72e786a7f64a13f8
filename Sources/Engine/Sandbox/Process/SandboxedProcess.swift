import CLaunchPolicy
import CLinux
import Glibc

/// A spawned extension: a process and the pipes to it. Nothing here waits; all descriptors suit an event loop.
///
/// The caller owns every descriptor and closes each once. The reading and writing ends are non-blocking.
package struct SandboxedProcess: Sendable {
  /// Of the launcher, for messages; signals and reaping go through `pidfd`.
  package let pid: Int32
  /// Readable when `reap` will answer. The whole sandbox is gone then, unless the launcher was killed: the kernel ends
  /// the rest a moment later, and standard error ends with the last process that holds it.
  package let pidfd: Int32
  /// Writing end; closing it asks the extension to stop.
  package let standardInput: Int32
  /// The end of the pipe from which the process's standard output is read.
  package let standardOutput: Int32
  /// The reading end of the extension's standard error.
  package let standardError: Int32
  /// The host's end of the launcher's socket: its own records are read here, see `LaunchStatusDecoder`. It is the
  /// lifeline too: when the host ends, or calls ``cutLifeline()``, the sandbox ends. -1 without a sandbox.
  package let control: Int32

  /// Sends a signal to the launcher. SIGKILL ends the whole sandbox at once; the extension itself receives no signals.
  ///
  /// - Throws: `system` when the process is gone (ESRCH) or the signal is unknown (EINVAL).
  package func signal(_ number: Int32) throws(SandboxError) {
    let error = clinux_pidfd_signal(pidfd, number)
    if error != 0 { throw .system("pidfd_send_signal", error) }
  }

  /// The version of the launcher that this host starts.
  package static let launcherVersion = LAUNCH_VERSION
  /// What stands before the version in the launcher's file.
  package static let launcherVersionMark = LAUNCH_VERSION_MARK

  /// Has the launcher end the sandbox and wait until nothing of it is left. What it says until then can still be read.
  package func cutLifeline() { _ = shutdown(control, Int32(SHUT_WR)) }

  /// Reaps the launcher when it has ended.
  ///
  /// - Returns: nil while it runs. How the launcher ended; how the extension ended comes through `control`.
  /// - Throws: `system` when it was reaped before.
  package func reap() throws(SandboxError) -> ExtensionExit? {
    try reap(waiting: false)?.exit
  }

  /// As `reap`, with the most memory, in bytes, that one process of the sandbox had at a time; programs and libraries
  /// count as well.
  package func reapWithPeak() throws(SandboxError) -> (exit: ExtensionExit, peakMemory: UInt64)? {
    try reap(waiting: false)
  }

  /// As `reap`, but blocks the calling thread until the launcher has ended.
  package func waitUntilExit() throws(SandboxError) -> ExtensionExit {
    while true {
      if let end = try reap(waiting: true) { return end.exit }
    }
  }

  /// Ends a process that nobody uses, and closes its descriptors. Blocks the calling thread until it has ended.
  package func discard() {
    try? signal(SIGKILL)
    _ = try? waitUntilExit()
    close()
  }

  /// Closes every descriptor of a process that was not handed to a caller.
  func close() {
    Glibc.close(standardInput)
    closeAllButInput()
  }

  /// Closes the other descriptors after standard input was closed to signal the end.
  package func closeAllButInput() {
    for descriptor in [standardOutput, standardError, control, pidfd] where descriptor >= 0 {
      Glibc.close(descriptor)
    }
  }

  private func reap(waiting: Bool) throws(SandboxError) -> (exit: ExtensionExit, peakMemory: UInt64)? {
    var end: Int32 = 0
    var value: Int32 = 0
    var peak: UInt64 = 0
    let error = unsafe clinux_pidfd_reap_with_peak(pidfd, waiting ? 1 : 0, &end, &value, &peak)
    guard error == 0 else { throw .system("waitid", error) }
    switch UInt32(end) {
    case CLINUX_EXITED.rawValue: return (.exited(code: value), peak)
    case CLINUX_SIGNALLED.rawValue: return (.signalled(number: value), peak)
    default: return nil
    }
  }
}
