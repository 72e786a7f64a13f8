public import Contracts
public import ExtensionHosting
import ExtensionProtocol
public import JSON

extension ExtensionProcess {
  /// Lets an Action extension act on items, and waits for the end.
  ///
  /// - Parameters:
  ///   - pageResults: what the host knows of a web page; the items should carry it too (``ItemProvider/pageResults(_:itemID:)``).
  ///   - terms: what the extension learns of the host app.
  ///   - show: gets the view of an action with a user interface, before the end is waited for.
  ///   - collect: gets what the extension returned while the request is still open, so that it can fetch values which the
  ///     extension returned without (``bytes(of:requestID:as:limit:)``); gives what is returned to the caller.
  public func perform(
    _ items: [ExtensionItem], pageResults: JSONObject? = nil, requests: RequestService,
    terms: RequestService.Terms = RequestService.Terms(), deadline: Duration = .seconds(60),
    show: (WidgetView) -> Void = { _ in },
    collect: (_ items: [ExtensionItem], _ requestID: String) async throws -> [ExtensionItem] = { items, _ in items }
  ) async throws -> RequestService.Outcome {
    try await requests.withRequest(of: self) { requestID in
      let visible = try await requests.begin(requestID, with: items, on: self, terms: terms)
      let answer = try await call(
        Action.Perform(requestID: requestID, inputItems: visible, pageResults: pageResults), deadline: deadline)
      if let view = answer.view {
        try await check(view, from: Action.Perform.method)
        show(view)
      }
      let outcome = try await requests.end(of: requestID, on: self, deadline: deadline)
      guard case .completed(let items) = outcome else { return outcome }
      return .completed(try await collect(items, requestID))
    }
  }
}
