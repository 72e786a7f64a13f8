public import Contracts
public import ExtensionHosting
import ExtensionProtocol

extension ExtensionProcess {
  /// Brings a Today widget up to date.
  ///
  /// - Throws: the widget's error; `protocolViolation` for a view that no widget may have; `deadlineExceeded` after 10 s
  ///   unless another deadline is given.
  public func performUpdate(
    displayMode: WidgetDisplayMode = .compact, reason: WidgetUpdateReason = .visible, requests: RequestService? = nil,
    deadline: Duration = .seconds(10)
  ) async throws -> UpdateResult {
    let service = requests ?? RequestService()
    let presentation = WidgetPresentation(wanted: displayMode, largest: displayMode)
    return try await service.withRequest(of: self) { requestID in
      try await performUpdate(requestID: requestID, reason, presentation, deadline: deadline)
    }
  }

  /// Brings a Today widget up to date in a request that is open.
  func performUpdate(
    requestID: String, _ reason: WidgetUpdateReason, _ presentation: WidgetPresentation, deadline: Duration
  ) async throws -> UpdateResult {
    let result = try await call(
      Today.PerformUpdate(
        requestID: requestID, reason: reason, displayMode: presentation.active,
        maxSize: presentation.maximumSize(for: presentation.active)),
      deadline: deadline)
    if let view = result.view { try await check(view) }
    return result
  }

  /// Notifies a Today widget that the user chose a row with an action.
  ///
  /// - Parameters:
  ///   - row: the index of the row in its view, from 0.
  ///   - action: the row's action.
  ///   - requests: opens the request; without it, the call opens its own.
  /// - Throws: the widget's error; `methodNotFound` when the widget serves no actions; `protocolViolation` for a view
  ///   that a widget may not have; `deadlineExceeded` after 10 s, unless another deadline is given.
  public func didSelectRow(
    _ row: Int, action: String, requests: RequestService? = nil, deadline: Duration = .seconds(10)
  ) async throws -> UpdateResult {
    try await (requests ?? RequestService()).withRequest(of: self) { requestID in
      try await didSelectRow(row, action: action, requestID: requestID, deadline: deadline)
    }
  }

  /// Tells it in a request that is open.
  func didSelectRow(
    _ row: Int, action: String, requestID: String, deadline: Duration
  ) async throws -> UpdateResult {
    let result = try await call(
      Today.DidSelectRow(requestID: requestID, row: row, action: action), deadline: deadline)
    if let view = result.view { try await check(view, from: Today.DidSelectRow.method) }
    return result
  }

  /// - Throws: `protocolViolation` for a view that no widget may have.
  func check(_ view: WidgetView, from method: String = Today.PerformUpdate.method) async throws(ExtensionError) {
    guard let refusal = view.refusal else { return }
    var error = await misanswered(method, "It shows what a widget may not. \(refusal)")
    error.recovery = "Show titles, texts and rows; take input in the containing app."
    throw error
  }
}
