import AppExtensions
import FoundationEssentials

/// A document picker that offers texts of its own for import.
@main
struct __NAME__: DocumentPickerExtension {
  static let texts = ["thanks.txt": "Thank you.\n", "welcome.txt": "Welcome to __APP__.\n"]

  func entries(
    in directory: String?, cursor: String?, for picker: PickerSession
  ) async throws -> DocumentPicker.List.Result {
    guard directory == nil else { return DocumentPicker.List.Result(entries: []) }
    return DocumentPicker.List.Result(entries: Self.entries)
  }

  func pick(_ identifier: String, for picker: PickerSession) async throws -> PickerGrant? {
    guard let text = Self.texts[identifier] else {
      throw ExtensionError(.invalidParams, "There is no such text.")
    }
    // A path in the scratch directory; the host hands a copy to the app that asked.
    let scratch = picker.context.host?.directories.scratch ?? "."
    try Data(text.utf8).write(to: URL(filePath: "\(scratch)/\(identifier)"))
    return .scratchFile(identifier)
  }

  func save(to directory: String?, for picker: PickerSession) async throws -> PickerGrant? { nil }

  static var entries: [DocumentPicker.Entry] {
    texts.sorted { $0.key < $1.key }.map { name, text in
      DocumentPicker.Entry(
        identifier: name, name: name, type: "public.plain-text", size: Int64(text.utf8.count), local: true)
    }
  }
}
