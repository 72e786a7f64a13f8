import PropertyList

/// The keys of manifests at every extension point, with their types: the basis of the checks and of the reference of
/// manifests. The definition of an extension point has the keys of that point.
package enum ManifestTable {
  private static func key(
    _ name: String, _ type: ManifestKey.ValueType, _ summary: String, as form: String? = nil,
    default standard: String = "",
    _ example: PropertyListValue
  ) -> ManifestKey {
    ManifestKey(name, type, in: .elsewhere).described(summary, as: form, default: standard, example: example)
  }

  /// At the top, read here.
  package static let top = [
    key(
      "CFBundleIdentifier", .any,
      "The name by which everything knows the bundle: letters, digits and hyphens in components joined by dots. An "
        + "extension's begins with that of its containing app. Required.", as: "string", "com.example.notes.clock"),
    key(
      "CFBundleExecutable", .any,
      "The program, or the script when there is an interpreter: a path below the bundle, or for a loose manifest below "
        + "the folder in which programs are looked for. Required for an extension; an app need not have one.",
      as: "string", "Clock"),
    key(
      "CFBundlePackageType", .any, "`XPC!` for an extension, `APPL` for a containing app. Required.", as: "string",
      "XPC!"),
    key("CFBundleDisplayName", .any, "The name for people.", as: "string", default: "`CFBundleName`", "Clock"),
    key(
      "CFBundleName", .any, "The short name for people.", as: "string", default: "the containing app's name", "Clock"),
    key(
      "CFBundleVersion", .any, "The version that is compared: whole numbers joined by dots. The highest one is used.",
      as: "string", default: "0", "1.2"),
    key(
      "CFBundleShortVersionString", .any, "The version for people.", as: "string", default: "`CFBundleVersion`",
      "1.2 beta"),
    key(
      "CFBundleURLTypes", .any, "The URL schemes that a containing app opens.", as: "array of dictionaries",
      [["CFBundleURLSchemes": ["notes"]]]),
    key(
      "CFBundleDocumentTypes", .any, "What a containing app opens.", as: "array of dictionaries",
      [["LSItemContentTypes": ["public.text"]]]),
    key(
      "UTExportedTypeDeclarations", .any, "Uniform types that are the app's own.", as: "array of dictionaries",
      [["UTTypeIdentifier": "com.example.note", "UTTypeConformsTo": ["public.text"]]]),
    key(
      "UTImportedTypeDeclarations", .any, "Uniform types of others that the app knows.", as: "array of dictionaries",
      [["UTTypeIdentifier": "org.example.list", "UTTypeConformsTo": ["public.text"]]]),
    key(
      "NSExtension", .any, "What makes the bundle an extension. Required for one.", as: "dictionary",
      ["NSExtensionPointIdentifier": "com.example.point"]),
    key(
      "EXAppExtensionAttributes", .any,
      "What newer manifests name the extension point in; both dictionaries may be there and then name one point.",
      as: "dictionary", ["EXExtensionPointIdentifier": "com.example.point"]),
    key(
      "Entitlements", .any, "What on other systems is part of the signature.", as: "dictionary",
      ["com.apple.security.application-groups": ["group.com.example.notes"]]),
    key("Annex", .any, "What only this host reads.", as: "dictionary", ["Framing": "lines"]),
  ]

  /// The elements of `CFBundleURLTypes`.
  package static let urlType = [
    key(
      "CFBundleURLSchemes", .any, "The schemes, without a colon. `http`, `https` and `file` belong to no app.",
      as: "array of strings", ["notes"])
  ]

  /// The elements of `CFBundleDocumentTypes`.
  package static let documentType = [
    key("LSItemContentTypes", .any, "Uniform type identifiers.", as: "array of strings", ["public.text"])
  ]

  /// The elements of `UTExportedTypeDeclarations` and `UTImportedTypeDeclarations`.
  package static let typeDeclaration = [
    key(
      "UTTypeIdentifier", .any, "The type's name; none begins with `public.`. Required.", as: "string",
      "com.example.note"),
    key(
      "UTTypeConformsTo", .any, "The types that every value of this one is of as well.",
      as: "string, or array of strings", ["public.text"]),
    key(
      "UTTypeTagSpecification", .any, "How files and media types of it are called.", as: "dictionary",
      ["public.filename-extension": ["note"]]),
  ]

  /// The keys of `UTTypeTagSpecification`.
  package static let tags = [
    key(
      "public.filename-extension", .any, "The endings of files, without a dot.", as: "string, or array of strings",
      ["note"]),
    key("public.mime-type", .any, "Media types.", as: "string, or array of strings", ["text/x-note"]),
  ]

  /// The keys of `NSExtension`.
  package static let section = [
    key(
      "NSExtensionPointIdentifier", .any, "The extension point. Required.", as: "string", "com.example.point"),
    key(
      "NSExtensionPrincipalClass", .any,
      "The module and the class. Only its form is checked: the executable itself speaks the protocol.", as: "string",
      "Clock.Main"),
    key(
      "NSExtensionMainStoryboard", .any, "A hint that there is a user interface; not together with a principal class.",
      as: "string", "MainInterface"),
    key(
      "NSExtensionAttributes", .any, "The keys of the extension point.", as: "dictionary", default: "none",
      ["NSExtensionActivationRule": ["NSExtensionActivationSupportsText": true]]),
    key("NSExtensionOverridesHostUIAppearance", .bool, "Kept, without effect.", default: "false", false),
  ]

  /// `EXAppExtensionAttributes`, where newer manifests have what `NSExtension` has in others.
  package static let newerSection = [
    key(
      "EXExtensionPointIdentifier", .any, "The extension point, as `NSExtensionPointIdentifier` names it.",
      as: "string", "com.example.point"),
    key("EXPrincipalClass", .string, "Kept, without effect.", "Main"),
    key("EXExtensionPrincipalClass", .string, "Kept, without effect.", "Renderer.Main"),
    key("EXRequiresLegacyInfrastructure", .bool, "Kept, without effect.", default: "false", false),
    key("EXPresentsUserInterface", .bool, "Kept, without effect.", default: "false", false),
  ]

  /// `Entitlements`. Others are kept.
  package static let entitlements = [
    key(
      "com.apple.security.application-groups", .any,
      "App groups, which begin with `group.`; the containing app names them too. Another app's needs the user's consent.",
      as: "array of strings", default: "none", ["group.com.example.notes"])
  ]

  /// The names of all keys that every manifest may have, wherever they stand.
  static let names = Set(
    [
      top, passive, passiveAttributes, urlType, documentType, typeDeclaration, tags, section, newerSection, annex,
      limits,
    ]
    .joined().map(\.name))

  /// What the values of a table are.
  static func types(of keys: [ManifestKey]) -> [String: ManifestKey.ValueType] {
    Dictionary(keys.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
  }
}
