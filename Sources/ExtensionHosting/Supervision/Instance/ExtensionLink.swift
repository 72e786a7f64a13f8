package import EventLoop
package import ExtensionProtocol
import JSONRPC

/// The host's end of a running extension: a process that the host started, an app that the user runs, or, in tests, code
/// of this process.
package protocol ExtensionLink: Sendable {
  /// What the handshake says of directories.
  var directories: Initialize.Directories { get }
  func process(_ identity: Caller.Identity, loop: EventLoop) -> ExtensionProcess
  /// Ends what was started; the connection is closed when this returns. Called once.
  func end(_ deadlines: ExtensionHost.Deadlines, reason: StopReason) async
  /// Ends it by force, for a reason that is a clause; ``end(_:reason:)`` follows.
  func kill(_ why: KillReason) async
}

extension ExtensionLink {
  package func kill(_ why: KillReason) async {}
}

/// A containing app that the user runs: it stays when the host is done with it.
struct RunningApp: ExtensionLink {
  let connection: Connection
  var directories: Initialize.Directories { Initialize.Directories(scratch: "", container: "", groups: [:]) }

  func process(_ identity: Caller.Identity, loop: EventLoop) -> ExtensionProcess {
    ExtensionProcess(identity: identity, connection: connection, loop: loop, scratch: nil)
  }

  func end(_ deadlines: ExtensionHost.Deadlines, reason: StopReason) async {
    await connection.close(.finished)
  }
}
