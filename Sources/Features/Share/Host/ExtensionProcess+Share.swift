import Contracts
public import ExtensionHosting
import ExtensionProtocol

extension ExtensionProcess {
  /// Opens a compose sheet of a Share extension for items, and runs the body with it. If the body throws, the host
  /// withdraws the request.
  ///
  /// - Parameters:
  ///   - service: receives the extension's calls about the open sheet; one of the host's services.
  ///   - terms: the host's description of the host app.
  public func compose<Result>(
    _ items: [ExtensionItem], requests: RequestService, service: ShareService? = nil,
    terms: RequestService.Terms = RequestService.Terms(), _ body: (ShareSheet) async throws -> Result
  ) async throws -> Result {
    try await requests.withRequest(of: self) { requestID in
      try await requests.begin(requestID, with: items, on: self, terms: terms)
      let sheet = ShareSheet(requestID: requestID, process: self, requests: requests)
      service?.open(sheet)
      defer { service?.close(sheet) }
      return try await body(sheet)
    }
  }

  /// Posts items through a Share extension without asking the user: validates the text, posts, and waits for the end.
  ///
  /// - Throws: `contentInvalid` when the extension refuses the text; otherwise the errors of the calls.
  public func share(
    _ items: [ExtensionItem], contentText: String, requests: RequestService, service: ShareService? = nil,
    deadline: Duration = .seconds(60)
  ) async throws -> RequestService.Outcome {
    try await compose(items, requests: requests, service: service) { sheet in
      _ = try await sheet.setText(contentText)
      return try await sheet.post(deadline: deadline)
    }
  }
}
