import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC

/// What a user would do with documents and keyboards.
extension CheckBench {
  static let content = Array(text.utf8)

  /// A file provider at work, and where the documents of its app lie.
  func withProvider<Result: Sendable>(
    _ body: (ExtensionProcess, DocumentStorage) async throws -> Result
  ) async throws -> Result {
    guard let storage = try? stand.documents.storage(of: target.identity) else {
      throw CheckSkipped("The manifests name no app group for its documents.")
    }
    return try await withExtension { process in
      try await stand.documents.withDocuments(of: target.identity, provider: process) { _ in
        try await body(process, storage)
      }
    }
  }

  /// A document picker that is shown. Its app's documents are open, and nobody provides those that are not here.
  func withPicker<Result: Sendable>(
    _ mode: DocumentPicker.Mode, _ body: (ExtensionProcess, PresentedPicker) async throws -> Result
  ) async throws -> Result {
    let original = PickerTerms.Original(name: "conformance-\(mode.rawValue).txt", bytes: Self.content)
    let terms = PickerTerms(mode, original: mode.isSaving ? original : nil)
    return try await withExtension { process in
      guard (try? stand.documents.storage(of: target.identity)) != nil else {
        return try await present(terms, by: process, body)
      }
      return try await stand.documents.withDocuments(of: target.identity, provider: nil) { _ in
        try await present(terms, by: process, body)
      }
    }
  }

  private func present<Result: Sendable>(
    _ terms: PickerTerms, by process: ExtensionProcess,
    _ body: (ExtensionProcess, PresentedPicker) async throws -> Result
  ) async throws -> Result {
    try await process.presentPicker(terms, service: stand.picker) { try await body(process, $0) }
  }

  /// A text field that a keyboard has.
  func withField<Result: Sendable>(
    _ text: String = "", _ body: (KeyboardSession) async throws -> Result
  ) async throws -> Result {
    try await withExtension { process in
      try await stand.keyboard.withSession(of: process, for: KeyboardField(TextDocument(text)), body)
    }
  }

  /// Runs what an extension may refuse, because what this kit asks for need not exist where the extension looks.
  ///
  /// - Parameter methods: whose answers may be errors of a framework, or what the host refused to the extension itself.
  /// - Returns: the refusal in words; `nil` when the body ran to its end.
  func excusing(_ methods: String..., body: () async throws -> Void) async throws -> String? {
    do {
      try await body()
      return nil
    } catch let failure as CheckFailure {
      for method in methods {
        let error = try await ownError(answering: method)
        if let error, let code = error["code"]?.integerValue, (-32050 ... -32020).contains(code) {
          return "an error: \(error["message"]?.stringValue ?? "")"
        }
      }
      throw failure
    }
  }
}
