import PropertyList

/// The `NSExtension` dictionary.
extension ManifestValidator {
  private static let root = PropertyListKeyPath("NSExtension")
  private static let attributes = PropertyListKeyPath("NSExtension", "NSExtensionAttributes")

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
    manifest.principalClass = reader.string(Self.root.appending("NSExtensionPrincipalClass"))
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
    checkMediaTypes()
    checkPickerModes()
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

  private mutating func checkMediaTypes() {
    checkWords(
      Self.attributes.appending("PHSupportedMediaTypes"), among: ["Image", "Video", "LivePhoto"], what: "media type")
  }

  private mutating func checkPickerModes() {
    checkWords(
      Self.attributes.appending("UIDocumentPickerModes"),
      among: ["Import", "Open", "ExportToService", "MoveToService"].map { "UIDocumentPickerMode\($0)" },
      what: "document picker mode")
  }

  private mutating func checkWords(_ path: PropertyListKeyPath, among known: [String], what: String) {
    for index in reader.indices(path) {
      guard let word = reader.string(path.appending(index)), !known.contains(word) else { continue }
      reader.fail(
        path.appending(index), "“\(word)” is not a \(what).", "Use one of \(known.joined(separator: ", ")).")
    }
  }
}
