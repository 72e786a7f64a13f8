public import Contracts
public import ExtensionHosting
import ExtensionProtocol

/// How much room a widget has.
public enum WidgetDisplayMode: String, Sendable {
  case compact, expanded
}

extension ExtensionProcess {
  /// Brings a Today widget up to date.
  ///
  /// - Throws: the widget's error, or `deadlineExceeded` after 10 s unless another deadline is given.
  public func performUpdate(
    displayMode: WidgetDisplayMode = .compact, reason: String = "visible", requests: RequestService? = nil,
    deadline: Duration = .seconds(10)
  ) async throws -> UpdateResult {
    let service = requests ?? RequestService()
    return try await service.withRequest(of: self) { requestID in
      try await call(
        Today.PerformUpdate(requestID: requestID, reason: reason, displayMode: displayMode.rawValue),
        deadline: deadline)
    }
  }
}
