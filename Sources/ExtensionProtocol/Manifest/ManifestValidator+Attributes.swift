import PropertyList

/// What belongs to some extension points only, most of it under `NSExtensionAttributes`.
extension ManifestValidator {
  private static let actions: [ExtensionPoint] = [.action, .actionUI]
  private static let shared: [ExtensionPoint] = [.share] + actions

  /// The points at which a key has an effect.
  private static let places: [(key: String, points: [ExtensionPoint])] = [
    ("NSExtensionActivationRule", shared), ("NSExtensionJavaScriptPreprocessingFile", shared),
    ("NSExtensionServiceRoleType", actions), ("NSExtensionActionWantsFullScreenPresentation", actions),
    ("PHSupportedMediaTypes", [.photoEditing]), ("UIDocumentPickerModes", [.documentPicker]),
    ("UIDocumentPickerSupportedFileTypes", [.documentPicker]),
    ("NSExtensionFileProviderDocumentGroup", [.fileProvider]),
    ("NSExtensionFileProviderSupportsEnumeration", [.fileProvider]), ("IsASCIICapable", [.keyboard]),
    ("PrefersRightToLeft", [.keyboard]), ("PrimaryLanguage", [.keyboard]), ("RequestsOpenAccess", [.keyboard]),
  ]

  mutating func checkAttributes(_ point: ExtensionPoint) {
    checkPlaces(point)
    checkWords("PHSupportedMediaTypes", among: ["Image", "Video", "LivePhoto"], what: "media type")
    checkWords(
      "UIDocumentPickerModes",
      among: ["Import", "Open", "ExportToService", "MoveToService"].map { "UIDocumentPickerMode\($0)" },
      what: "document picker mode")
    checkTypeNames(Self.attributes.appending("UIDocumentPickerSupportedFileTypes"))
    checkServiceRole()
    checkPreprocessing()
    checkLanguage()
    checkPicker(point)
  }

  private mutating func checkPlaces(_ point: ExtensionPoint) {
    for (key, points) in Self.places where !points.contains(point) && point != .containingApp {
      let paths = [
        (PropertyListKeyPath("NSExtension", key), Self.extensionKeys),
        (Self.attributes.appending(key), Self.attributeKeys),
      ]
      for (path, known) in paths where known[key] != nil && reader.root.node(at: path) != nil {
        let names = points.map(\.shortName).joined(separator: ", ")
        reader.warn(
          path, "The key has no effect at the extension point \(point.shortName).",
          "It belongs to: \(names). Leave it out, or change the point.")
      }
    }
  }

  /// A list of known words, with one at least.
  private mutating func checkWords(_ key: String, among known: [String], what: String) {
    let path = Self.attributes.appending(key)
    let recovery = "Use one of \(known.joined(separator: ", "))."
    let indices = reader.indices(path)
    if indices.isEmpty, reader.root.node(at: path)?.value.arrayValue != nil {
      reader.fail(path, "The list is empty, so the extension is never offered.", recovery)
    }
    for index in indices {
      guard let word = reader.string(path.appending(index)), !known.contains(word) else { continue }
      reader.fail(path.appending(index), "“\(word)” is not a \(what).", recovery)
    }
  }

  /// A list of uniform type identifiers.
  mutating func checkTypeNames(_ path: PropertyListKeyPath) {
    for index in reader.indices(path) {
      guard let name = reader.string(path.appending(index)), !ManifestNames.isIdentifier(name) else { continue }
      reader.fail(
        path.appending(index), "“\(name)” is not a type identifier.",
        "Name a uniform type, such as public.text or com.example.note.")
    }
  }

  private mutating func checkServiceRole() {
    let roles = ["NSExtensionServiceRoleTypeEditor", "NSExtensionServiceRoleTypeViewer"]
    let path = Self.attributes.appending("NSExtensionServiceRoleType")
    guard let role = reader.root.node(at: path)?.value.stringValue, !roles.contains(role) else { return }
    reader.fail(path, "“\(role)” is not a service role.", "Use \(roles.joined(separator: " or ")).")
  }

  /// Preprocessing runs on web pages only (App Extension Keys, `NSExtensionActivationSupportsWebPageWithMaxCount`).
  private mutating func checkPreprocessing() {
    let path = Self.attributes.appending("NSExtensionJavaScriptPreprocessingFile")
    guard let name = reader.root.node(at: path)?.value.stringValue, !name.isEmpty else { return }
    if name.hasSuffix(".js") {
      reader.fail(path, "“\(name)” names the file with its extension.", "Leave “.js” out.")
    } else if !ManifestNames.isPathBelow(name) {
      reader.fail(path, "“\(name)” does not stay inside the bundle.", "Name the file by its path below the bundle.")
    }
    let rule = Self.attributes.appending("NSExtensionActivationRule")
    let count = rule.appending("NSExtensionActivationSupportsWebPageWithMaxCount")
    guard reader.root.node(at: rule)?.value.dictionaryValue != nil else { return }
    guard reader.root.node(at: count).map({ $0.value == .integer(0) }) ?? true else { return }
    reader.fail(
      count, "Web pages are preprocessed by “\(name)”, and the activation rule takes none.",
      "Give a count above 0, or leave NSExtensionJavaScriptPreprocessingFile out.")
  }

  private mutating func checkLanguage() {
    let path = Self.attributes.appending("PrimaryLanguage")
    guard let tag = reader.root.node(at: path)?.value.stringValue, !tag.isEmpty else { return }
    guard !ManifestNames.isLanguage(tag) else { return }
    reader.fail(
      path, "“\(tag)” is not a language tag.", "Write one such as en-US or ar, or “mul” for several languages.")
  }

  private mutating func checkPicker(_ point: ExtensionPoint) {
    let path = Self.attributes.appending("UIDocumentPickerModes")
    guard point == .documentPicker, reader.root.node(at: path) == nil else { return }
    reader.fail(
      path, "Without modes a document picker is never offered.",
      "Name UIDocumentPickerModeImport, for example.")
  }
}
