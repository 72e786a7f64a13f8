import Activation
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC

/// Document pickers.
extension ConformanceCheck {
  static let picker = [
    ConformanceCheck(
      "picker-modes", "picker/prepare is answered for every mode that the manifest names.",
      advice: "Answer {}; name the modes that you have under UIDocumentPickerModes.", points: [.documentPicker]
    ) { bench in
      for mode in bench.offeredModes {
        do {
          try await bench.withPicker(mode) { _, _ in }
        } catch let failure as CheckFailure {
          throw CheckFailure("Shown for \(mode.rawValue): \(failure.seen)", lines: failure.lines)
        }
      }
      return bench.offeredModes.map(\.rawValue).joined(separator: ", ")
    },
    ConformanceCheck(
      "picker-list", "picker/list gives pages of entries that have a name, and comes to an end.",
      advice: "Give each entry an identifier and a name without \"/\", and leave \"next\" out on the last page.",
      points: [.documentPicker], requires: ["picker-modes"]
    ) { bench in
      let mode = try bench.modes(where: { !$0.isSaving })[0]
      return try await bench.excusing(DocumentPicker.List.method) {
        try await bench.withPicker(mode) { _, picker in _ = try await picker.entries() }
      }
    },
    ConformanceCheck(
      "picker-grant", "What the user takes is granted once, by the rules of the mode, or the picker is cancelled.",
      advice: "Call picker/dismissGrantingAccess with the path of a file in a granted directory, or with null, once.",
      points: [.documentPicker], requires: ["picker-modes"]
    ) { bench in
      var remarks: [String] = []
      for mode in try bench.modes(where: { !$0.isSaving }) {
        remarks.append(
          try await bench.granting(mode) { picker in
            let entries: [DocumentPicker.Entry]
            do throws(ExtensionError) { entries = try await picker.entries() } catch {
              throw CheckSkipped("It could not list anything: \(error.message)")
            }
            guard let entry = entries.first(where: { $0.enabled && !bench.isFolder($0.type) }) else {
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
    ) { bench in
      var remarks: [String] = []
      for mode in try bench.modes(where: { $0.isSaving }) {
        remarks.append(try await bench.granting(mode) { _ in nil })
      }
      return remarks.joined(separator: ", ")
    },
  ]
}

extension CheckBench {
  /// The modes that the manifest names; all, for a program without one.
  fileprivate var offeredModes: [DocumentPicker.Mode] {
    let manifest = stand.registry.entries.first { $0.identifier == target.identity.id }?.manifest
    return manifest.map { PickerOffer($0).modes } ?? DocumentPicker.Mode.allCases
  }

  /// - Throws: ``CheckSkipped`` when there is none.
  fileprivate func modes(where isWanted: (DocumentPicker.Mode) -> Bool) throws -> [DocumentPicker.Mode] {
    let found = offeredModes.filter(isWanted)
    if found.isEmpty { throw CheckSkipped("Its manifest names no such mode.") }
    return found
  }

  fileprivate func isFolder(_ type: String) -> Bool { stand.registry.types.conforms(type, to: "public.directory") }

  /// Lets the user choose, and looks at what the picker grants.
  ///
  /// - Parameter entry: the identifier of what the user takes; `nil` when a document is handed over.
  /// - Returns: a remark.
  fileprivate func granting(
    _ mode: DocumentPicker.Mode, _ entry: (PresentedPicker) async throws -> String?
  ) async throws -> String {
    let outcome: Result<String?, any Error>
    do {
      let refusal = try await excusing(DocumentPicker.Select.method) {
        try await withPicker(mode) { process, picker in
          let identifier = try await entry(picker)
          _ = try await process.within(patience) {
            if let identifier { try await picker.select(identifier) } else { try await picker.save() }
          } timeout: {
            ExtensionError(
              .deadlineExceeded, "It heard the choice to \(mode.rawValue), and within \(patience) it granted nothing.")
          }
        }
      }
      outcome = .success(refusal)
    } catch {
      outcome = .failure(error)
    }
    let grant = DocumentPicker.DismissGrantingAccess.method
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
