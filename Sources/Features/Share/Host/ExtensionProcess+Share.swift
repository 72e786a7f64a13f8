import Contracts
public import ExtensionHosting
import ExtensionProtocol

extension ExtensionProcess {
  /// Posts items through a Share extension: validates the text, posts, and waits for the end.
  ///
  /// - Throws: `contentInvalid` when the extension refuses the text; else what the calls throw.
  public func share(
    _ items: [ExtensionItem], contentText: String, requests: RequestService, deadline: Duration = .seconds(60)
  ) async throws -> RequestService.Outcome {
    try await requests.withRequest(of: self) { requestID in
      try await requests.begin(requestID, with: items, on: self)
      try await validate(contentText, requestID: requestID)
      _ = try await call(Share.DidSelectPost(requestID: requestID, contentText: contentText), deadline: deadline)
      return try await requests.end(of: requestID, on: self, deadline: deadline)
    }
  }

  /// An extension without `share/validateContent` accepts every text.
  private func validate(_ contentText: String, requestID: String) async throws {
    guard let verdict = try await verdict(on: contentText, requestID: requestID) else { return }
    guard !verdict.isValid else { return }
    let over = verdict.charactersRemaining.map { $0 < 0 ? " It is \(-$0) characters too long." : "" } ?? ""
    throw ExtensionError(.contentInvalid, "\(caller.identity.displayName) does not accept this text.\(over)")
  }

  private func verdict(on contentText: String, requestID: String) async throws -> Share.ValidateContent.Result? {
    do {
      return try await call(Share.ValidateContent(requestID: requestID, contentText: contentText))
    } catch {
      guard error.code == .methodNotFound else { throw error }
      return nil
    }
  }
}
