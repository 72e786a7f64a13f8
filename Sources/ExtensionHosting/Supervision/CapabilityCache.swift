import ExtensionProtocol
import JSONRPC
import Sandbox

/// What this machine enforces, tried once for each start of the machine and kept in a file.
package struct CapabilityCache: Sendable {
  private let state: StateDirectory
  private let launcherPath: String

  package init(state: StateDirectory, launcherPath: String) {
    self.state = state
    self.launcherPath = launcherPath
  }

  /// The stored result while it still speaks of this machine and user, else a new one.
  ///
  /// - Throws: `sandboxUnavailable` when the machine cannot enforce the minimum.
  func capabilities() throws -> SandboxCapabilities {
    let path = "\(try state.folder("sandbox"))/capabilities.json"
    if let bytes = SmallFile.read(path), let stored = try? JSONCoding.decode(SandboxCapabilities.self, from: bytes),
      stored.isCurrent()
    {
      return stored
    }
    let found = try SandboxProbe(launcher: launcherPath).run()
    try? SmallFile.replace(path, with: JSONCoding.encode(found))
    return found
  }
}
