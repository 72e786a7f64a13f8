public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import JSON

/// An Action extension, with or without a user interface. Mark the type `@main`.
public protocol ActionExtension: AppExtension {
  /// Acts on the items. Returning completes the request with the items returned, throwing cancels it.
  ///
  /// An editor's items take the place of those it was given, by position, and their attachments by type. A viewer returns
  /// none.
  func perform(_ items: [ExtensionItem], in context: ExtensionContext) async throws -> [ExtensionItem]

  /// Returns the view of an action with a user interface; called before ``perform(_:in:)``. The default shows nothing.
  func view(for items: [ExtensionItem], in context: ExtensionContext) async throws -> WidgetView?

  /// Called when the state of the host app changes while the request is open.
  func hostStateDidChange(to state: Request.HostStateDidChange.State) async
}

extension ActionExtension {
  /// Actions.
  public static var points: [ExtensionPointDefinition] { Action.points }

  /// The default has nothing to show.
  public func view(for items: [ExtensionItem], in context: ExtensionContext) async throws -> WidgetView? { nil }
  /// The default does nothing.
  public func hostStateDidChange(to state: Request.HostStateDidChange.State) async {}

  /// The handlers for the host's calls: `context/beginRequest`, `action/perform` and the notifications of an open
  /// request.
  public var handlers: [SessionHandler] {
    let requests = OpenRequests { await hostStateDidChange(to: $0) }
    return requests.handlers + [
      SessionHandler(answering: Action.Perform.self) { params, session in
        let scope = try requests.scope(of: params.requestID)
        let context = ExtensionContext(requestID: params.requestID, session: session, scope: scope)
        let view = try await view(for: params.inputItems, in: context)
        return Answer(Action.Perform.Result(view: view)).afterwards {
          await requests.run(params.requestID, on: session) { try await perform(params.inputItems, in: context) }
        }
      }
    ]
  }
}
