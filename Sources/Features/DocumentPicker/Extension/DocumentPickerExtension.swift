public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import JSON

/// A Document Picker extension: it shows what there is, and grants access to what the user takes. Mark the type `@main`.
public protocol DocumentPickerExtension: AppExtension {
  /// The picker is about to be shown. The default does nothing.
  func prepare(_ picker: PickerSession) async throws

  /// Returns one page of a folder's entries.
  ///
  /// - Parameters:
  ///   - directory: the identifier of an entry; `nil` for the outermost folder.
  ///   - cursor: `next` of the previous page.
  ///   - picker: the presentation that needs the entries.
  func entries(
    in directory: String?, cursor: String?, for picker: PickerSession
  ) async throws -> DocumentPicker.List.Result

  /// The user takes a document, for import or open. `nil` cancels.
  func pick(_ identifier: String, for picker: PickerSession) async throws -> PickerGrant?

  /// The user puts ``PickerSession/originalPath`` into a folder, for export or move: copy it into the document storage, and
  /// return where it lies. `nil` cancels.
  ///
  /// - Parameters:
  ///   - directory: the identifier of an entry; `nil` is the outermost folder.
  ///   - picker: the presentation, with the document to save.
  func save(to directory: String?, for picker: PickerSession) async throws -> PickerGrant?
}

/// A picker's grant of access to a document.
public struct PickerGrant: Sendable, Equatable {
  let path: String
  let directory: String

  /// A document, by its path in the document storage; for every mode.
  public static func document(_ path: String) -> PickerGrant {
    PickerGrant(path: path, directory: "documentStorage")
  }

  /// A file, by its path in the scratch directory; for import.
  public static func scratchFile(_ path: String) -> PickerGrant { PickerGrant(path: path, directory: "scratch") }
}

extension DocumentPickerExtension {
  /// Document Pickers.
  public static var points: [ExtensionPointDefinition] { DocumentPicker.points }

  /// The default does nothing.
  public func prepare(_ picker: PickerSession) async throws {}

  /// The handlers of a program that is only a document picker.
  public var handlers: [SessionHandler] { pickerHandlers }

  /// The handlers of a document picker, for a program that also serves another extension point.
  public var pickerHandlers: [SessionHandler] {
    let pickers = PickerSessions()
    return [
      SessionHandler(DocumentPicker.Prepare.self) { params, session in
        let picker = try PickerSession(params, session)
        try pickers.open(picker)
        do { try await prepare(picker) } catch {
          pickers.close(picker.requestID)
          throw error
        }
        return Empty()
      },
      SessionHandler(DocumentPicker.List.self) { params, _ in
        try await entries(in: params.directory, cursor: params.cursor, for: pickers.picker(params.requestID))
      },
      SessionHandler(DocumentPicker.Select.self) { params, session in
        let picker = try pickers.picker(params.requestID)
        let grant = try await pickers.run(picker) { try await choose(params, picker) }
        _ = try await session.call(
          DocumentPicker.DismissGrantingAccess(
            requestID: picker.requestID, url: grant?.path, directory: grant?.directory))
        pickers.close(picker.requestID)
        return Empty()
      },
      SessionHandler(notification: Request.Withdraw.self) { params, _ in pickers.close(params.requestID) },
    ]
  }

  private func choose(_ params: DocumentPicker.Select, _ picker: PickerSession) async throws -> PickerGrant? {
    if let identifier = params.identifier { return try await pick(identifier, for: picker) }
    let directory = params.destination.flatMap { $0.isEmpty ? nil : $0 }
    return try await save(to: directory, for: picker)
  }
}

extension DocumentPickerExtension where Self: FileProviderExtension {
  /// Document Pickers and File Providers: one program may be both.
  public static var points: [ExtensionPointDefinition] { FileProvider.points + DocumentPicker.points }
  /// The handlers of a file provider and a document picker.
  public var handlers: [SessionHandler] { providerHandlers + pickerHandlers }
}
