import Activation
package import Conformance
import Contracts
import ExtensionHosting
package import ExtensionProtocol
import HostServices
import JSON

/// Document pickers.
package enum DocumentPickerConformance: ConformanceFeature {
  /// The extension point of document pickers.
  package static let points: [ExtensionPoint] = [.documentPicker]
  /// `true`: a picker grants access to documents in a folder of the app group.
  package static let needsAppGroup = true

  /// The checks of a document picker, in the order in which they run.
  package static let checks = [
    ConformanceCheck(
      "picker-modes", "picker/prepare is answered for every mode that the manifest names.",
      advice: "Answer {}; name the modes that you have under UIDocumentPickerModes.", points: [.documentPicker]
    ) { context in
      for mode in context.offeredModes {
        do {
          try await context.withPicker(mode) { _, _ in }
        } catch let failure as CheckFailure {
          throw CheckFailure("Shown for \(mode.rawValue): \(failure.seen)", lines: failure.lines)
        }
      }
      return context.offeredModes.map(\.rawValue).joined(separator: ", ")
    },
    ConformanceCheck(
      "picker-list", "picker/list gives pages of entries that have a name, and ends.",
      advice: "Give each entry an identifier and a name without \"/\", and leave \"next\" out on the last page.",
      points: [.documentPicker], requires: ["picker-modes"]
    ) { context in
      let mode = try context.modes(where: { !$0.isSaving })[0]
      return try await context.excusing(DocumentPicker.List.method) {
        try await context.withPicker(mode) { _, picker in _ = try await picker.entries() }
      }
    },
    ConformanceCheck(
      "picker-grant", "What the user takes is granted once, by the rules of the mode, or the picker is cancelled.",
      advice: "Call picker/dismissGrantingAccess with the path of a file in a granted directory, or with null, once.",
      points: [.documentPicker], requires: ["picker-modes"]
    ) { context in
      var remarks: [String] = []
      for mode in try context.modes(where: { !$0.isSaving }) {
        remarks.append(
          try await context.granting(mode) { picker in
            let entries: [DocumentPicker.Entry]
            do throws(ExtensionError) { entries = try await picker.entries() } catch {
              throw CheckSkipped("It could not list anything: \(error.message)")
            }
            guard let entry = entries.first(where: { $0.enabled && !context.isFolder($0.type) }) else {
              throw CheckSkipped("It lists nothing that can be taken.")
            }
            return entry.identifier
          })
      }
      return remarks.joined(separator: ", ")
    },
    ConformanceCheck(
      "picker-save", "A document that is handed over is copied into the document storage before access is granted.",
      advice: "Copy originalURL below the document storage, then call picker/dismissGrantingAccess with the new path.",
      points: [.documentPicker], requires: ["picker-modes"]
    ) { context in
      var remarks: [String] = []
      for mode in try context.modes(where: { $0.isSaving }) {
        remarks.append(try await context.granting(mode) { _ in nil })
      }
      return remarks.joined(separator: ", ")
    },
  ]
}

extension CheckContext {
  /// Runs the body with a presented document picker. The app's documents are open, and missing ones are not provided.
  fileprivate func withPicker<Result: Sendable>(
    _ mode: DocumentPicker.Mode, _ body: (ExtensionProcess, PresentedPicker) async throws -> Result
  ) async throws -> Result {
    let original = PickerTerms.Original(name: "conformance-\(mode.rawValue).txt", bytes: Self.content)
    let terms = PickerTerms(mode, original: mode.isSaving ? original : nil)
    return try await withExtension { process in
      guard (try? documents.storage(of: target.identity)) != nil else {
        return try await present(terms, by: process, body)
      }
      return try await documents.withDocuments(of: target.identity, provider: nil) { _ in
        try await present(terms, by: process, body)
      }
    }
  }

  private func present<Result: Sendable>(
    _ terms: PickerTerms, by process: ExtensionProcess,
    _ body: (ExtensionProcess, PresentedPicker) async throws -> Result
  ) async throws -> Result {
    try await process.presentPicker(terms, service: host.service()) { try await body(process, $0) }
  }

  /// The modes that the manifest names; all, for a program without one.
  fileprivate var offeredModes: [DocumentPicker.Mode] {
    let manifest = host.registry.entries.first { $0.identifier == target.identity.id }?.manifest
    return manifest.map { PickerOffer($0).modes } ?? DocumentPicker.Mode.allCases
  }

  /// - Throws: ``CheckSkipped`` when there is none.
  fileprivate func modes(where isWanted: (DocumentPicker.Mode) -> Bool) throws -> [DocumentPicker.Mode] {
    let found = offeredModes.filter(isWanted)
    if found.isEmpty { throw CheckSkipped("Its manifest names no such mode.") }
    return found
  }

  fileprivate func isFolder(_ type: String) -> Bool { host.registry.types.conforms(type, to: "public.directory") }

  /// Lets the user choose, and looks at what the picker grants.
  ///
  /// - Parameter entry: the identifier of what the user takes; `nil` when a document is handed over.
  /// - Returns: a remark.
  fileprivate func granting(
    _ mode: DocumentPicker.Mode, _ entry: (PresentedPicker) async throws -> String?
  ) async throws -> String {
    let grant = DocumentPicker.DismissGrantingAccess.method
    let outcome: Result<String?, any Error>
    do {
      let refusal = try await excusing(DocumentPicker.Select.method) {
        try await withPicker(mode) { process, picker in
          let identifier = try await entry(picker)
          _ = try await process.within(timeout) {
            if let identifier { try await picker.select(identifier) } else { try await picker.save() }
          } timeout: {
            ExtensionError(
              .deadlineExceeded, "It heard the choice to \(mode.rawValue), and within \(timeout) it granted nothing.")
          }
          // The first grant ends the choice; a second one may come until the extension has answered, and wait for its own
          // answer then.
          try await untilAnswered(grant, during: DocumentPicker.Select.method, within: timeout)
        }
      }
      outcome = .success(refusal)
    } catch {
      outcome = .failure(error)
    }
    if !(outcome.failure is CheckSkipped), let error = try await refusal(of: grant) {
      throw CheckFailure("The host refused what it granted: \(error["message"]?.stringValue ?? "")")
    }
    let excuse = try outcome.get()
    return excuse.map { "\(mode.rawValue): \($0)" } ?? mode.rawValue
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
