public import Contracts
import ExtensionProtocol
public import ExtensionRuntime
import JSONRPC

/// An Action extension. Mark the type `@main`.
public protocol ActionExtension: AppExtension {
  /// Acts on the items. Returning completes the request with the items returned, throwing cancels it.
  func perform(_ items: [ExtensionItem], in context: ExtensionContext) async throws -> [ExtensionItem]
}

extension ActionExtension {
  public var handlers: [SessionHandler] {
    let requests = OpenRequests()
    return requests.handlers + [
      SessionHandler(replying: Action.Perform.self) { params, session in
        _ = try requests.items(of: params.requestID)
        return Reply.empty.afterwards {
          await requests.run(params.requestID, on: session) {
            try await perform(
              params.inputItems, in: ExtensionContext(requestID: params.requestID, session: session))
          }
        }
      }
    ]
  }
}
