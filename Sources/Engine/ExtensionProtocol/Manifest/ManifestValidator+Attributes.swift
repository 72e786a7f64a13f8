import PropertyList

/// What belongs to some extension points only, most of it under `NSExtensionAttributes`.
extension ManifestValidator {
  static let attributes = PropertyListKeyPath("NSExtension", "NSExtensionAttributes")

  mutating func checkAttributes(_ manifest: Manifest) {
    for (key, places) in points.keys {
      for path in key.paths where reader.value(path) != nil {
        if !places.contains(manifest.point), manifest.point != .containingApp {
          warnOfPlace(path, places, manifest.point)
        }
      }
    }
    for (key, _) in points.keys {
      for path in key.paths where reader.value(path) != nil { key.check(&reader, path, manifest) }
    }
    let definition = points.definition(of: manifest.point)
    for key in definition.manifest.keys where key.isRequired {
      guard let path = key.paths.last, key.paths.allSatisfy({ reader.value($0) == nil }) else { continue }
      reader.fail(
        path, "An extension for \(definition.shortName) has the key \(key.name); this one has not.", "Add it.")
    }
    if definition.takesItems { checkActivationRule() }
    definition.manifest.check(&reader, manifest)
  }

  private mutating func warnOfPlace(_ path: PropertyListKeyPath, _ places: [ExtensionPoint], _ point: ExtensionPoint) {
    let names = places.map(points.shortName).joined(separator: ", ")
    reader.warn(
      path, "The key has no effect at the extension point \(points.shortName(of: point)).",
      "It belongs to: \(names). Leave it out, or change the point.")
  }

  private mutating func checkActivationRule() {
    let path = Self.attributes.appending(ManifestKey.activationRule.name)
    guard reader.value(path) == nil else { return }
    reader.fail(path, "Without an activation rule the extension is never offered.", "Say what the extension accepts.")
  }
}

extension ManifestKey {
  /// Where the key may stand.
  fileprivate var paths: [PropertyListKeyPath] {
    (places.contains(.section) ? [PropertyListKeyPath("NSExtension", name)] : [])
      + (places.contains(.attributes) ? [ManifestValidator.attributes.appending(name)] : [])
  }
}
