import ExtensionHosting
import TestSupport
import Testing
import Transfers

@testable import FeatureCommands

/// The hosts in which a daemon starts the apps of sessions.
@Suite(.timeLimit(.minutes(1)))
struct `The hosts of a daemon` {
  private func session(_ manifests: String...) -> SessionRecord {
    SessionRecord(
      key: SessionKey(app: "a", identifier: "s"), owner: "o", epoch: 1, group: "g", container: "/c",
      manifests: manifests)
  }

  private func manifest(_ name: String) -> String {
    """
    <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.\(name)</string>
    <key>CFBundlePackageType</key><string>XPC!</string><key>CFBundleExecutable</key><string>none</string>
    <key>CFBundleVersion</key><string>1</string><key>NSExtension</key><dict>
    <key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string></dict></dict></plist>
    """
  }

  @Test func `are one for each set of manifests, and another one whenever those have changed`() async throws {
    let stage = try FeatureStage(SessionsCommand.command)
    let hosts = SessionHosts(try stage.invocation("list"))
    var last = try await hosts.host(of: session())
    #expect(try await hosts.host(of: session()) === last)
    let other = try await hosts.host(of: session("elsewhere"))
    #expect(other !== last)
    #expect(try await hosts.host(of: session("elsewhere")) === other)
    var known: [String] = []
    for name in ["A", "B"] {
      _ = try stage.folder.write(manifest(name), to: "\(name).plist")
      known.append("org.example.\(name)")
      let next = try await hosts.host(of: session())
      #expect(next !== last && next.registry.entries.map(\.identifier) == known)
      #expect(try await hosts.host(of: session()) === next, "nothing has changed since")
      last = next
    }
  }
}
