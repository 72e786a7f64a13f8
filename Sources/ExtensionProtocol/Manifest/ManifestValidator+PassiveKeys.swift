import PropertyList

/// Keys that are known but change nothing here, and keys that are not known at all.
extension ManifestValidator {
  private typealias Types = [String: ManifestKey.ValueType]

  /// Keys at the top that other checks read.
  private static let active: Set<String> = [
    "CFBundleIdentifier", "CFBundleExecutable", "CFBundlePackageType", "CFBundleDisplayName", "CFBundleName",
    "CFBundleShortVersionString", "CFBundleVersion", "CFBundleURLTypes", "UTExportedTypeDeclarations",
    "UTImportedTypeDeclarations", "NSExtension", "Entitlements", "Annex",
  ]

  /// Keys at the top that manifests from Apple's tools have; they are kept.
  private static let passive: Types = [
    "CFBundleDocumentTypes": .any, "CFBundleDevelopmentRegion": .string, "CFBundleInfoDictionaryVersion": .string,
    "CFBundleSignature": .string, "CFBundleSupportedPlatforms": .strings, "CFBundleIcons": .dictionary,
    "CFBundleIconFile": .string, "CFBundleIconName": .string, "CFBundleLocalizations": .strings,
    "LSApplicationCategoryType": .string, "LSMinimumSystemVersion": .string, "LSRequiresIPhoneOS": .bool,
    "MinimumOSVersion": .string, "NSHumanReadableCopyright": .string, "NSMainStoryboardFile": .string,
    "NSPrincipalClass": .string, "UIBackgroundModes": .strings, "UIDeviceFamily": .any,
    "UILaunchStoryboardName": .string, "UIMainStoryboardFile": .string, "UIRequiredDeviceCapabilities": .any,
    "UISupportedInterfaceOrientations": .strings,
  ]

  private static let top = passive.merging(active.map { ($0, .any) }, uniquingKeysWith: { kind, _ in kind })

  mutating func checkPassiveKeys() {
    check(.root, Self.top)
    check(PropertyListKeyPath("NSExtension"), points.sectionKeys)
    check(Self.attributes, points.attributeKeys)
    checkDocumentTypes()
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
        unknown += 1
        guard unknown <= 20 else { continue }
        reader.warn(path, "The key is not known here; it is kept and has no effect.", advice(entry.key, known))
      }
    }
  }

  /// What may have been meant by a key that is not known where it stands.
  private func advice(_ key: String, _ known: Types) -> String {
    if let meant = known.keys.first(where: { $0.lowercased() == key.lowercased() }) { return "Did you mean \(meant)?" }
    if points.attributeKeys[key] != nil { return "Move it to NSExtension.NSExtensionAttributes." }
    if points.sectionKeys[key] != nil { return "Move it to NSExtension." }
    return "Check its spelling, or leave it out."
  }
}
