import Contracts
public import ExtensionHosting
import ExtensionProtocol

extension ExtensionProcess {
  /// Shows a document picker, and runs the body with it. When the body throws, the request is withdrawn.
  ///
  /// - Parameter service: hears what the picker grants; one of the host's services.
  public func presentPicker<Result>(
    _ terms: PickerTerms, service: DocumentPickerService, _ body: (PresentedPicker) async throws -> Result
  ) async throws -> Result {
    try await service.requests.withRequest(of: self) { requestID in
      let picker = PresentedPicker(requestID: requestID, process: self, terms: terms, service: service)
      service.open(picker)
      defer { service.close(picker) }
      try await picker.prepare()
      return try await body(picker)
    }
  }
}
