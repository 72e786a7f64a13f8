public import ExtensionProtocol
import PropertyList

extension ExtensionPoint {
  /// Document Pickers.
  public static let documentPicker = ExtensionPoint(rawValue: "com.apple.fileprovider-ui")
}

extension DocumentPicker: PointContract {
  /// Document Pickers only.
  public static let access = [
    Allowlist.Row("picker/*", [.documentPicker], nil, "Picker calls belong to Document Pickers.")
  ]

  /// `com.apple.fileprovider-ui`, with a ceiling of 128 MiB of memory; it may coordinate documents like the provider.
  public static let definition =
    ExtensionPointDefinition(
      .documentPicker, shortName: "picker", role: "a document picker", plural: "the document pickers", position: 60,
      calls: [
        .request(Prepare.self, transfers: [.fileIn("originalURL")]), .request(List.self), .request(Select.self),
      ], limits: ExtensionLimits(memoryMiB: 128), access: [Allowlist.Row("provider/*", nil, nil, FileProvider.rule)],
      manifest: ManifestRules(
        keys: [
          .words(modes, among: Mode.allCases.map(\.manifestName), what: "document picker mode")
            .described(
              "What the picker offers: `UIDocumentPickerModeImport`, `…Open`, `…ExportToService`, `…MoveToService`. Open and "
                + "Move need a file provider in the same app. Required.",
              as: "array of strings", example: ["UIDocumentPickerModeImport"]),
          .typeIdentifiers(types)
            .described(
              "The uniform types of its documents.", as: "array of strings", default: "all", example: ["public.text"]),
        ],
        check: { reader, _ in
          guard reader.value(path(modes)) == nil else { return }
          reader.fail(
            path(modes), "Without modes a document picker is never offered.",
            "Name UIDocumentPickerModeImport, for example.")
        },
        checkNeighbours: { reader, neighbours in
          checkModes(&reader, neighbours)
          checkTypes(&reader, neighbours)
        }))
  /// This one point.
  public static let points = [definition]

  private static let modes = "UIDocumentPickerModes"
  private static let types = "UIDocumentPickerSupportedFileTypes"

  private static func path(_ key: String) -> PropertyListKeyPath {
    PropertyListKeyPath("NSExtension", "NSExtensionAttributes", key)
  }

  /// Open and Move need a file provider extension in the same app, and one that says where its documents lie (App
  /// Extension Programming Guide, Document Provider).
  private static func checkModes(_ reader: inout ManifestReader, _ neighbours: ManifestNeighbours) {
    guard neighbours.app != nil else { return }
    let named = neighbours.manifest.attributes[modes]?.arrayValue?.map(\.stringValue) ?? []
    let needing = [Mode.open.manifestName, Mode.moveToService.manifestName]
    guard let first = named.firstIndex(where: { $0.map(needing.contains) ?? false }) else { return }
    let providers = neighbours.siblings.filter { $0.point == .fileProvider }
    guard !providers.contains(where: { $0.fileProviderDocumentGroup != nil }) else { return }
    if let provider = providers.first {
      reader.fail(
        path(modes).appending(first),
        "Open and MoveToService need the documents of the file provider \(provider.identifier), which has no folder.",
        "Give it NSExtensionFileProviderDocumentGroup, or leave these modes out.")
    } else {
      reader.fail(
        path(modes).appending(first), "Open and MoveToService need a file provider extension in the same app.",
        "Add a file provider extension, or leave these modes out.")
    }
  }

  /// Reports types that are not declared anywhere: the picker is never offered for them.
  private static func checkTypes(_ reader: inout ManifestReader, _ neighbours: ManifestNeighbours) {
    let named = neighbours.manifest.attributes[types]?.arrayValue ?? []
    for (position, type) in named.enumerated() {
      guard let type = type.stringValue, !neighbours.knowsType(type) else { continue }
      reader.warn(
        path(types).appending(position), "No app declares the type \(type), so no document has it.",
        "Check its spelling, or declare it under UTImportedTypeDeclarations.")
    }
  }
}
