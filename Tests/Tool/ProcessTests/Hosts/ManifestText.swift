/// Manifests that a test writes, as XML.
enum ManifestText {
  /// - Parameters:
  ///   - type: `APPL` or `XPC!`.
  ///   - rest: further keys, as XML.
  static func bundle(_ id: String, _ executable: String, _ type: String, _ rest: String = "") -> String {
    """
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>\(id)</string><key>CFBundleExecutable</key><string>\(executable)</string>
    <key>CFBundlePackageType</key><string>\(type)</string><key>CFBundleVersion</key><string>1</string>\(rest)
    </dict></plist>
    """
  }

  /// What makes a manifest that of a widget.
  ///
  /// - Parameter annex: what stands in `Annex`, as XML; `nil` for none.
  static func widget(annex: String? = nil) -> String {
    """
    <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
    <string>com.apple.widget-extension</string></dict>
    """ + (annex.map { "<key>Annex</key><dict>\($0)</dict>" } ?? "")
  }
}
