import HostServices
import Testing

/// Manifests as values, for tests to change.
enum ManifestValues {
  /// A Today widget's.
  static func widget(
    _ changes: [String: PropertyListValue] = [:], extension section: [String: PropertyListValue] = [:]
  ) -> PropertyListValue {
    var inner: [String: PropertyListValue] = ["NSExtensionPointIdentifier": "com.apple.widget-extension"]
    inner.merge(section) { _, new in new }
    let entries: [String: PropertyListValue] = [
      "CFBundleIdentifier": "com.example.notes.clock", "CFBundleExecutable": "Clock", "CFBundlePackageType": "XPC!",
      "CFBundleVersion": "1.2", "NSExtension": .dictionary(inner),
    ]
    return .dictionary(entries.merging(changes) { _, new in new })
  }

  static func app(_ changes: [String: PropertyListValue]) -> PropertyListValue {
    let entries: [String: PropertyListValue] = [
      "CFBundleIdentifier": "com.example.notes", "CFBundleExecutable": "Notes", "CFBundlePackageType": "APPL",
      "CFBundleVersion": "1", "CFBundleName": "Notes",
    ]
    return .dictionary(entries.merging(changes) { _, new in new })
  }

  /// A manifest with one fault, and where it is.
  struct Bad: Sendable, CustomTestStringConvertible {
    let keyPath: String
    let value: PropertyListValue
    var testDescription: String { keyPath }

    init(_ keyPath: String, _ value: PropertyListValue) {
      self.keyPath = keyPath
      self.value = value
    }
  }
}
