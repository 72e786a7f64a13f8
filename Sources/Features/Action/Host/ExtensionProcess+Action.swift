public import Contracts
public import ExtensionHosting
import ExtensionProtocol
public import JSONRPC

extension ExtensionProcess {
  /// Lets an Action extension act on items, and waits for the end.
  ///
  /// - Parameters:
  ///   - pageResults: what the host knows of a web page; the items should carry it too (``ItemProvider/pageResults(_:itemID:)``).
  ///   - terms: what the extension learns of the host app.
  ///   - show: gets the view of an action with a user interface, before the end is waited for.
  public func perform(
    _ items: [ExtensionItem], pageResults: JSONObject? = nil, requests: RequestService,
    terms: RequestService.Terms = RequestService.Terms(), deadline: Duration = .seconds(60),
    show: (WidgetView) -> Void = { _ in }
  ) async throws -> RequestService.Outcome {
    try await requests.withRequest(of: self) { requestID in
      let visible = try await requests.begin(requestID, with: items, on: self, terms: terms)
      let answer = try await call(
        Action.Perform(requestID: requestID, inputItems: visible, pageResults: pageResults), deadline: deadline)
      if let view = answer.view {
        try check(view)
        show(view)
      }
      return try await requests.end(of: requestID, on: self, deadline: deadline)
    }
  }
}
