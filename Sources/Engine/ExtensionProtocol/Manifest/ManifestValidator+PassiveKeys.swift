import PropertyList
import Text

/// Keys that are known but change nothing here, and keys that are not known at all.
extension ManifestValidator {
  private typealias Types = [String: ManifestKey.ValueType]

  private static let top = ManifestTable.types(of: ManifestTable.top + ManifestTable.passive)
  private static let annex = ManifestTable.types(of: ManifestTable.annex)
  private static let limits = ManifestTable.types(of: ManifestTable.limits)
  private static let auth = ManifestTable.types(of: ManifestTable.auth)
  private static let identity = ManifestTable.types(of: ManifestTable.identity)
  private static let newer = ManifestTable.types(of: ManifestTable.newerSection)

  /// The largest number of unknown keys that are reported for one dictionary.
  private static let maximumUnknown = 20

  mutating func checkPassiveKeys() {
    check(.root, Self.top)
    check(Self.newerRoot, Self.newer)
    check(PropertyListKeyPath("NSExtension"), points.sectionKeys)
    check(Self.attributes, points.attributeKeys)
    check(PropertyListKeyPath("Annex"), Self.annex)
    check(PropertyListKeyPath("Annex", "Limits"), Self.limits)
    check(PropertyListKeyPath("Annex", "Identity"), Self.identity)
    let auth = PropertyListKeyPath("Annex", "Auth")
    // A value that is not an array is reported where it is read.
    for index in 0..<min(reader.value(auth)?.arrayValue?.count ?? 0, AuthEntry.longest) {
      check(auth.appending(index), Self.auth)
    }
    checkDocumentTypes()
  }

  /// Whether nothing here reads what is at a path.
  static func isPassive(_ path: PropertyListKeyPath) -> Bool {
    guard case .key(let key)? = path.components.first else { return false }
    return !ManifestTable.top.contains { $0.name == key }
  }

  /// `CFBundleDocumentTypes` of an app: what it opens.
  private mutating func checkDocumentTypes() {
    let path = PropertyListKeyPath("CFBundleDocumentTypes")
    for index in reader.indices(path) where reader.dictionary(path.appending(index)) != nil {
      reader.checkTypeIdentifiers(path.appending(index).appending("LSItemContentTypes"))
    }
  }

  private mutating func check(_ parent: PropertyListKeyPath, _ known: Types) {
    guard case .dictionary(let entries)? = reader.root.node(at: parent)?.content else { return }
    var unknown = 0
    for entry in entries {
      let path = parent.appending(entry.key)
      switch known[entry.key] {
      case .string: _ = reader.string(path)
      case .bool: _ = reader.bool(path)
      case .strings: _ = reader.strings(path)
      case .dictionary: _ = reader.dictionary(path)
      case .any: break
      case nil:
        // It may have been reported as the misspelling of a key that is missing.
        guard !reader.problems.contains(where: { $0.keyPath == path.description }) else { continue }
        unknown += 1
        guard unknown <= Self.maximumUnknown else { continue }
        reader.warn(path, "The key is not known here; it is kept and has no effect.", advice(entry.key, known))
      }
    }
  }

  /// What may have been meant by a key that is not known where it stands.
  private func advice(_ key: String, _ known: Types) -> String {
    if let meant = known.keys.first(where: { $0.lowercased() == key.lowercased() }) { return "Did you mean \(meant)?" }
    if points.attributeKeys[key] != nil { return "Move it to NSExtension.NSExtensionAttributes." }
    if points.sectionKeys[key] != nil { return "Move it to NSExtension." }
    if Self.annex[key] != nil { return "Move it to Annex." }
    if Self.limits[key] != nil { return "Move it to Annex.Limits." }
    return didYouMean(nearMisses(of: key, in: known.keys.sorted())) ?? "Check its spelling, or leave it out."
  }
}
