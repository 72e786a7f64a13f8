import EchoContract
import ExtensionProtocol

/// The manifests of the benchmark's extensions and of the app that contains them.
package enum EchoManifest {
  package static let app = document(
    identifier: "com.example.benchmarks", type: "APPL", name: "Benchmarks", extension: "")

  package static let echo = document(
    identifier: Bench.identifier, type: "XPC!", name: "Echo",
    extension: """
      \(point)
      <key>Annex</key>
      <dict>
      <key>Entitlements</key><array><string>content</string></array>
      <key>Auth</key><array><dict>
      <key>Scopes</key><array><string>api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read</string></array>
      <key>Servers</key><array><string>http://127.0.0.1:*</string></array>
      <key>Token</key><true/>
      </dict></array>
      <key>DataConnect</key><array><string>bench/default:read</string></array>
      <key>Network</key><array><string>127.0.0.1:9</string></array>
      </dict>
      """)

  package static let dataEcho = document(
    identifier: Bench.dataIdentifier, type: "XPC!", name: "DataEcho",
    extension: """
      \(point)
      <key>Annex</key>
      <dict>
      <key>DataConnect</key><array><string>movies/movies:read</string></array>
      </dict>
      """)

  private static let point = """
    <key>NSExtension</key>
    <dict>
    <key>NSExtensionPointIdentifier</key><string>\(EchoPoint.point.rawValue)</string>
    </dict>
    """

  private static func document(identifier: String, type: String, name: String, extension: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    <key>CFBundleIdentifier</key><string>\(identifier)</string>
    <key>CFBundleExecutable</key><string>\(type == "APPL" ? "Echo" : name)</string>
    <key>CFBundlePackageType</key><string>\(type)</string>
    <key>CFBundleName</key><string>\(name)</string>
    <key>CFBundleVersion</key><string>1</string>
    <key>Entitlements</key>
    <dict>
    <key>com.apple.security.application-groups</key>
    <array><string>group.com.example.benchmarks</string></array>
    </dict>
    \(`extension`)
    </dict>
    </plist>

    """
  }
}
