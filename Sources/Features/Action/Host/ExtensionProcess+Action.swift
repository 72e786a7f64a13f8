import Contracts
public import ExtensionHosting
import ExtensionProtocol

extension ExtensionProcess {
  /// Lets an Action extension act on items, and waits for the end.
  public func perform(
    _ items: [ExtensionItem], requests: RequestService, deadline: Duration = .seconds(60)
  ) async throws -> RequestService.Outcome {
    try await requests.withRequest(of: self) { requestID in
      try await requests.begin(requestID, with: items, on: self)
      _ = try await call(Action.Perform(requestID: requestID, inputItems: items), deadline: deadline)
      return try await requests.end(of: requestID, on: self, deadline: deadline)
    }
  }
}
