import Activation
public import ExtensionProtocol
public import PropertyList

/// Every key of a manifest: the tables that manifests are checked with, for people and for programs.
public struct ManifestReference: Sendable {
  /// The reference of one key.
  public struct Key: Sendable, Hashable {
    /// Where it stands: `CFBundleURLTypes[].CFBundleURLSchemes`, where `[]` is any element.
    public let path: String
    /// The type in words.
    public let form: String
    /// What holds without it; empty where nothing does.
    public let standard: String
    /// The extension points at which the key has an effect, by their short names; empty for all.
    public let points: [String]
    /// The meaning of the key.
    public let summary: String
    /// A value as a manifest may have it.
    public let example: PropertyListValue
    /// The keys on the way to it; an array is passed through its first element.
    let steps: [PropertyListKeyPath.Component]
  }

  /// The keys of one dictionary.
  public struct Section: Sendable, Hashable {
    /// The place, for a heading.
    public let title: String
    /// An introduction to the keys, in some sentences.
    public let about: String
    /// The keys in the order of the reference.
    public let keys: [Key]
  }

  /// The places, from the top of a manifest downwards.
  public let sections: [Section]

  /// Creates the reference.
  ///
  /// - Parameter points: the extension points whose keys are described.
  public init(points: ExtensionPointTable) {
    let types: [PropertyListKeyPath.Component] = [.key("UTExportedTypeDeclarations"), .index(0)]
    let section: [PropertyListKeyPath.Component] = [.key("NSExtension")]
    let attributes = section + [.key("NSExtensionAttributes")]
    let rule = attributes + [.key("NSExtensionActivationRule")]
    func own(_ place: ManifestKey.Places, _ steps: [PropertyListKeyPath.Component]) -> [Key] {
      points.keys.filter { $0.key.places.contains(place) }.map { key, at in
        Self.key(key, steps, at.map(points.shortName))
      }
    }
    func keys(_ table: [ManifestKey], _ steps: [PropertyListKeyPath.Component] = []) -> [Key] {
      table.map { Self.key($0, steps, []) }
    }
    let first = PropertyListValue.string(points.points.first?.rawValue ?? "com.example.point")
    let taking = points.pointsTakingItems.map(points.shortName)
    sections = [
      Section(
        title: "The top", about: "",
        keys: keys(
          ManifestTable.top.map { key in
            switch key.name {
            case "NSExtension": key.showing(["NSExtensionPointIdentifier": first])
            case "EXAppExtensionAttributes": key.showing(["EXExtensionPointIdentifier": first])
            default: key
            }
          })),
      Section(
        title: "In lists at the top",
        about: "`UTImportedTypeDeclarations` has the same keys as `UTExportedTypeDeclarations`.",
        keys: keys(ManifestTable.urlType, [.key("CFBundleURLTypes"), .index(0)])
          + keys(ManifestTable.documentType, [.key("CFBundleDocumentTypes"), .index(0)])
          + keys(ManifestTable.typeDeclaration, types)
          + keys(ManifestTable.tags, types + [.key("UTTypeTagSpecification")])),
      Section(
        title: "NSExtension", about: "",
        keys: keys(
          ManifestTable.section.map { $0.name == "NSExtensionPointIdentifier" ? $0.showing(first) : $0 }, section)
          + own(.section, section)),
      Section(
        title: "EXAppExtensionAttributes", about: "",
        keys: keys(
          ManifestTable.newerSection.map { $0.name == "EXExtensionPointIdentifier" ? $0.showing(first) : $0 },
          [.key("EXAppExtensionAttributes")])),
      Section(
        title: "NSExtension.NSExtensionAttributes",
        about: "At a point where a key has no effect it is a warning.", keys: own(.attributes, attributes)),
      Section(
        title: "NSExtensionActivationRule as a dictionary",
        about: "A count that is written as a string is read, with a warning.",
        keys: DictionaryRule.keys.map { key in
          Self.key(
            ManifestKey(key.name, .any)
              .described(key.summary, as: key.form, default: key.standard, example: key.example), rule, taking)
        }),
      Section(
        title: "Entitlements", about: "Others are kept.", keys: keys(ManifestTable.entitlements, [.key("Entitlements")])
      ),
      Section(
        title: "Annex", about: "A key that is not known here is a warning, with what may have been meant.",
        keys: keys(ManifestTable.annex, [.key("Annex")])),
      Section(
        title: "Annex.Auth",
        about: "The user agrees to the permission `auth`. A key that is not known here is a warning.",
        keys: keys(ManifestTable.auth, [.key("Annex"), .key("Auth"), .index(0)])),
      Section(
        title: "Annex.Identity", about: "Of a containing app; in an extension it has no effect.",
        keys: keys(ManifestTable.identity, [.key("Annex"), .key("Identity")])),
      Section(
        title: "Annex.Limits", about: "Each lowers a ceiling of the extension point; none raises one.",
        keys: keys(ManifestTable.limits, [.key("Annex"), .key("Limits")])),
      Section(
        title: "Without effect", about: "Manifests from Apple's tools have these. Their types are checked.",
        keys: keys(ManifestTable.passive) + keys(ManifestTable.passiveAttributes, attributes)),
    ]
  }

  private static func key(_ key: ManifestKey, _ steps: [PropertyListKeyPath.Component], _ points: [String]) -> Key {
    let steps = steps + [.key(key.name)]
    return Key(
      path: PropertyListKeyPath(steps).description.replacing("[0]", with: "[]"), form: key.form, standard: key.standard,
      points: points, summary: key.summary, example: key.example ?? .string(""), steps: steps)
  }
}

extension ManifestReference.Key {
  /// A manifest that has nothing but the example, at its place.
  package var manifest: PropertyListValue {
    steps.reversed().reduce(example) { value, step in
      switch step {
      case .key(let key): .dictionary([key: value])
      case .index: .array([value])
      }
    }
  }
}
