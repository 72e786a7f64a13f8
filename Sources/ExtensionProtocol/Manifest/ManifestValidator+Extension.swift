import PropertyList

/// The `NSExtension` dictionary.
extension ManifestValidator {
  private static let root = PropertyListKeyPath("NSExtension")

  mutating func point() -> ExtensionPoint? {
    let known = points.points.map(\.rawValue).joined(separator: ", ")
    guard reader.root["NSExtension"] != nil else {
      reader.fail(
        Self.root, "An extension's manifest has the dictionary NSExtension; this one has not.",
        "Add NSExtension with NSExtensionPointIdentifier.")
      return nil
    }
    guard reader.dictionary(Self.root) != nil else { return nil }
    let path = Self.root.appending("NSExtensionPointIdentifier")
    guard let text = reader.required(path, "Write one of \(known).") else { return nil }
    let point = ExtensionPoint(rawValue: text)
    guard points.contains(point) else {
      reader.fail(path, "“\(text)” is not an extension point.", "Write one of \(known).")
      return nil
    }
    return point
  }

  mutating func readExtension(_ manifest: inout Manifest) {
    guard reader.root["NSExtension"]?.value.dictionaryValue != nil else { return }
    manifest.principalClass = principalClass()
    manifest.mainStoryboard = reader.string(Self.root.appending("NSExtensionMainStoryboard"))
    if manifest.principalClass != nil, manifest.mainStoryboard != nil {
      reader.fail(
        Self.root.appending("NSExtensionMainStoryboard"),
        "The manifest names both a principal class and a main storyboard.", "Keep one of the two, or none.")
    }
    manifest.attributes = reader.dictionary(Self.attributes) ?? [:]
    let rule = manifest.attributes[ManifestKey.activationRule.name]
    manifest.activationRule = rule?.stringValue != nil || rule?.dictionaryValue != nil ? rule : nil
    checkAttributes(manifest)
  }

  private mutating func principalClass() -> String? {
    let path = Self.root.appending("NSExtensionPrincipalClass")
    guard let name = reader.string(path) else { return nil }
    if ManifestNames.isClass(name) { return name }
    reader.fail(
      path, "“\(name)” is not the name of a class.",
      name.contains("$")
        ? "Put the module's name in the place of the build setting, which nothing fills in here: Clock.Main."
        : "Write the module and the class, joined by a dot: Clock.Main.")
    return nil
  }
}
