import PropertyList
import Text

/// Checks of the dictionary `NSExtension`.
extension ManifestValidator {
  private static let root = PropertyListKeyPath("NSExtension")
  /// What newer manifests have in its place, or beside it.
  static let newerRoot = PropertyListKeyPath("EXAppExtensionAttributes")
  private static let pointPath = root.appending("NSExtensionPointIdentifier")
  private static let newerPointPath = newerRoot.appending("EXExtensionPointIdentifier")

  mutating func point() -> ExtensionPoint? {
    let known = points.points.map(\.rawValue).joined(separator: ", ")
    let isNewer = reader.root["EXAppExtensionAttributes"] != nil
    guard reader.root["NSExtension"] != nil || isNewer else {
      reader.fail(
        Self.root, "An extension's manifest has the dictionary NSExtension; this one has not.",
        "Add NSExtension with NSExtensionPointIdentifier.")
      return nil
    }
    if reader.root["NSExtension"] != nil, reader.dictionary(Self.root) == nil { return nil }
    if isNewer, reader.dictionary(Self.newerRoot) == nil { return nil }
    let newer = reader.value(Self.newerPointPath) == nil ? nil : reader.string(Self.newerPointPath)
    let hasOlder = reader.value(Self.pointPath) != nil
    let path = newer != nil && !hasOlder ? Self.newerPointPath : Self.pointPath
    guard let text = reader.required(path, "Write one of \(known).") else { return nil }
    if let newer, newer != text {
      reader.fail(
        Self.newerPointPath,
        "The manifest names two extension points: “\(newer)” here, and “\(text)” as \(Self.pointPath).",
        "Leave one of the two keys out, or write the same point.")
      return nil
    }
    let point = ExtensionPoint(rawValue: text)
    guard points.contains(point) else {
      let meant = didYouMean(nearMisses(of: text, in: points.points.map(\.rawValue))).map { "\($0) " } ?? ""
      reader.fail(path, "“\(text)” is not an extension point.", "\(meant)Write one of \(known).")
      return nil
    }
    return point
  }

  mutating func readExtension(_ manifest: inout Manifest) {
    let section = reader.root["NSExtension"] ?? reader.root["EXAppExtensionAttributes"]
    guard section?.value.dictionaryValue != nil else { return }
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
      path, "“\(name)” is not the name of a class.", "Write the module and the class, joined by a dot: Clock.Main.")
    return nil
  }
}
