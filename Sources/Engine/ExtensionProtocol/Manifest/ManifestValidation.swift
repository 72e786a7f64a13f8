public import PropertyList

/// The outcome of checking a manifest: every problem at once, and the manifest when none of them is an error.
public struct ManifestValidation: Sendable, Hashable {
  /// The manifest, or `nil` when ``problems`` has an error.
  public let manifest: Manifest?
  /// Problems in the order of the checks.
  public let problems: [ManifestProblem]
  /// `CFBundleIdentifier`, if it is one, even when the manifest is not usable.
  public let identifier: String?
  /// The extension point, if one is named, even when the manifest is not usable.
  public let point: ExtensionPoint?

  /// Creates an outcome; `manifest` is `nil` when a problem is an error.
  package init(manifest: Manifest?, problems: [ManifestProblem], identifier: String?, point: ExtensionPoint?) {
    self.manifest = manifest
    self.problems = problems
    self.identifier = identifier
    self.point = point
  }

  /// Checks a manifest that came from no file.
  ///
  /// - Parameter points: the extension points that a manifest may be for.
  public init(_ value: PropertyListValue, points: ExtensionPointTable) {
    self.init(PropertyListNode(value), file: nil, points: points)
  }

  /// Checks a manifest.
  ///
  /// - Parameters:
  ///   - node: the property list with its lines.
  ///   - file: the path that problems name.
  ///   - points: the extension points that a manifest may be for.
  package init(_ node: PropertyListNode, file: String?, points: ExtensionPointTable) {
    var validator = ManifestValidator(node, file: file, points: points)
    let manifest = validator.validate()
    problems = validator.reader.problems
    self.manifest = problems.contains { $0.severity == .error } ? nil : manifest
    identifier =
      manifest?.identifier
      ?? node["CFBundleIdentifier"]?.value.stringValue
      .flatMap { ManifestNames.isIdentifier($0) ? $0 : nil }
    point =
      manifest?.point
      ?? (node["NSExtension"]?["NSExtensionPointIdentifier"]
      ?? node["EXAppExtensionAttributes"]?["EXExtensionPointIdentifier"])?.value.stringValue
      .map { ExtensionPoint(rawValue: $0) }
  }
}
