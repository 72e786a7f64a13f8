package import ExtensionProtocol
import JSONRPC

/// The host's end of a running extension: a process that the host started, an app that the user runs, or, in tests, code
/// of this process.
package protocol ExtensionLink: Sendable {
  /// The directories for the handshake.
  var directories: Initialize.Directories { get }
  /// Returns the handle of an instance for the code that uses the extension.
  func process(of instance: ExtensionInstance) -> ExtensionProcess
  /// Ends what was started; the connection is closed when this returns. Called once.
  func end(_ deadlines: ExtensionHost.Deadlines, reason: StopReason) async
  /// Removes the files that the process left behind and measures the rest. Called once, after ``end(_:reason:)``.
  ///
  /// - Returns: the folder that exceeds its quota, if one does.
  func cleanUp() async -> DiskExcess?
  /// Ends it by force, for a reason that is a clause; ``end(_:reason:)`` follows. On the loop's thread.
  func kill(_ why: KillReason)
}

extension ExtensionLink {
  /// Does nothing: there is no process to kill.
  package func kill(_ why: KillReason) {}
  /// `nil`: there is nothing on the disk to clean up.
  package func cleanUp() async -> DiskExcess? { nil }
}

/// A containing app that the user runs: it stays when the host is done with it.
struct RunningApp: ExtensionLink {
  let connection: Connection
  var directories: Initialize.Directories { Initialize.Directories(scratch: "", container: "", groups: [:]) }

  func process(of instance: ExtensionInstance) -> ExtensionProcess {
    ExtensionProcess(of: instance, connection: connection, scratch: nil)
  }

  func end(_ deadlines: ExtensionHost.Deadlines, reason: StopReason) async {
    await connection.close(.finished)
  }
}
