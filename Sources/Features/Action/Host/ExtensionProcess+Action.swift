public import Contracts
public import ExtensionHosting
import ExtensionProtocol
public import JSON

extension ExtensionProcess {
  /// Runs an Action extension on items and waits for the result.
  ///
  /// - Parameters:
  ///   - pageResults: the results of a web page's preprocessing; the items should carry them too
  ///     (``ItemProvider/pageResults(_:itemID:)``).
  ///   - terms: what the host tells the extension about the host app.
  ///   - show: receives the view of an action with a user interface before the host waits for the result.
  ///   - collect: receives the returned items while the request is still open, so that it can fetch values that the
  ///     extension did not include (``bytes(of:requestID:as:limit:)``); its result is returned to the caller.
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
