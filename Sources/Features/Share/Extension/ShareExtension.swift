public import Contracts
import ExtensionProtocol
public import ExtensionRuntime
import JSONRPC

/// What a user posts: the text of the compose field and the items that were shared.
public struct SharePost: Sendable {
  public var contentText: String
  public var items: [ExtensionItem]

  public init(contentText: String, items: [ExtensionItem]) {
    self.contentText = contentText
    self.items = items
  }
}

/// A Share extension. Mark the type `@main`.
public protocol ShareExtension: AppExtension {
  /// Whether the post may go out; asked before it does. A type without this method accepts every post.
  func validate(_ post: SharePost) async -> Share.ValidateContent.Result

  /// The user posts. Returning completes the request with the items returned, throwing cancels it.
  func didSelectPost(_ post: SharePost, in context: ExtensionContext) async throws -> [ExtensionItem]
}

extension ShareExtension {
  public func validate(_ post: SharePost) async -> Share.ValidateContent.Result {
    Share.ValidateContent.Result(isValid: true)
  }

  public var handlers: [SessionHandler] {
    let requests = OpenRequests()
    return requests.handlers + [
      SessionHandler(Share.ValidateContent.self) { params, _ in
        let items = try requests.items(of: params.requestID)
        return await validate(SharePost(contentText: params.contentText, items: items))
      },
      SessionHandler(replying: Share.DidSelectPost.self) { params, session in
        let post = SharePost(contentText: params.contentText, items: try requests.items(of: params.requestID))
        return Reply.empty.afterwards {
          await requests.run(params.requestID, on: session) {
            try await didSelectPost(post, in: ExtensionContext(requestID: params.requestID, session: session))
          }
        }
      },
    ]
  }
}
