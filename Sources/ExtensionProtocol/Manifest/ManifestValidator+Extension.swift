import PropertyList

/// The `NSExtension` dictionary.
extension ManifestValidator {
  private static let root = PropertyListKeyPath("NSExtension")
  static let attributes = PropertyListKeyPath("NSExtension", "NSExtensionAttributes")

  mutating func point() -> ExtensionPoint? {
    let known = ExtensionPoint.all.map(\.rawValue).joined(separator: ", ")
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
    guard point.isKnown, point != .containingApp else {
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
    let fullScreen = "NSExtensionActionWantsFullScreenPresentation"
    let outer = reader.bool(Self.root.appending(fullScreen))
    let inner = reader.bool(Self.attributes.appending(fullScreen))
    manifest.wantsFullScreenPresentation = outer ?? inner ?? false
    readFileProviderGroup(&manifest)
    checkActivationRule(&manifest)
    checkAttributes(manifest.point)
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

  private mutating func readFileProviderGroup(_ manifest: inout Manifest) {
    let path = Self.root.appending("NSExtensionFileProviderDocumentGroup")
    manifest.fileProviderDocumentGroup = reader.string(path)
    if let group = manifest.fileProviderDocumentGroup, !manifest.appGroups.contains(group) {
      reader.fail(
        path, "The extension is not entitled to the group “\(group)”.",
        "Add the group to Entitlements, under \(Self.groupsKey).")
    }
    if manifest.point == .fileProvider, reader.root.node(at: path) == nil {
      reader.warn(path, "Without a document group, documents can be imported and exported only.", "Name an app group.")
    }
  }

  /// The rule's type. Its content is checked where rules are understood, in the registry.
  private mutating func checkActivationRule(_ manifest: inout Manifest) {
    let path = Self.attributes.appending("NSExtensionActivationRule")
    guard let rule = reader.root.node(at: path)?.value else {
      if [.share, .action, .actionUI].contains(manifest.point) {
        reader.fail(
          path, "Without an activation rule the extension is never offered.", "Say what the extension accepts.")
      }
      return
    }
    guard rule.stringValue != nil || rule.dictionaryValue != nil else {
      reader.fail(
        path, "The value is of type \(rule.typeName), not dictionary or string.",
        "Write a dictionary of counts, or a predicate.")
      return
    }
    manifest.activationRule = rule
  }
}
