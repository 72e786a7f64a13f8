public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import JSON

/// A Share extension. Mark the type `@main`.
///
/// Every member has a default: a type without any takes each text and completes without an item.
public protocol ShareExtension: AppExtension {
  /// Shown where there is no text yet.
  var placeholder: String? { get }

  /// A line that says what will be shared, for example a page's title.
  func preview(of items: [ExtensionItem]) async -> String?

  /// How many characters may follow, negative when there are too many; `nil` hides the counter.
  func charactersRemaining(in post: SharePost) -> Int?

  /// Whether the post may go out; asked again after every change of the text.
  func isContentValid(_ post: SharePost) async -> Bool

  /// Returns completions of the text, the likeliest first, for example a name that the user has begun.
  func completions(of post: SharePost) async -> [Share.Completion]

  /// Returns the settings besides the text. The user's choices are in ``SharePost/configuration``.
  func configurationItems(for items: [ExtensionItem]) async throws -> [Share.ConfigurationItem]

  /// The user posts. Returning completes the request with the items returned, throwing cancels it.
  func didSelectPost(_ post: SharePost, in context: ExtensionContext) async throws -> [ExtensionItem]

  /// The user does not post; afterwards the request is cancelled.
  func didSelectCancel(in context: ExtensionContext) async

  /// Called when the state of the host app changes while the sheet is open.
  func hostStateDidChange(to state: Request.HostStateDidChange.State) async
}

extension ShareExtension {
  /// Share extensions.
  public static var points: [ExtensionPointDefinition] { Share.points }

  /// The default shows nothing.
  public var placeholder: String? { nil }
  /// The default says nothing of the items.
  public func preview(of items: [ExtensionItem]) async -> String? { nil }
  /// The default hides the counter.
  public func charactersRemaining(in post: SharePost) -> Int? { nil }
  /// The default takes every text.
  public func isContentValid(_ post: SharePost) async -> Bool { true }
  /// Returns no completions.
  public func completions(of post: SharePost) async -> [Share.Completion] { [] }
  /// The default has nothing to set.
  public func configurationItems(for items: [ExtensionItem]) async throws -> [Share.ConfigurationItem] { [] }
  /// The default completes the request without an item.
  public func didSelectPost(_ post: SharePost, in context: ExtensionContext) async throws -> [ExtensionItem] { [] }
  /// The default does nothing; the request is cancelled either way.
  public func didSelectCancel(in context: ExtensionContext) async {}
  /// The default does nothing.
  public func hostStateDidChange(to state: Request.HostStateDidChange.State) async {}

  /// The handlers for the host's calls, from the opening of the sheet to the end of the request.
  public var handlers: [SessionHandler] {
    let requests = OpenRequests { await hostStateDidChange(to: $0) }
    return requests.handlers + sheetHandlers(requests) + endHandlers(requests)
  }

  /// While the sheet is open.
  private func sheetHandlers(_ requests: OpenRequests) -> [SessionHandler] {
    [
      SessionHandler(Share.Presentation.self) { params, _ in
        let items = try requests.items(of: params.requestID)
        return Share.Presentation.Result(placeholder: placeholder, preview: await preview(of: items))
      },
      SessionHandler(Share.ValidateContent.self) { params, _ in
        let post = try requests.scope(of: params.requestID).draft(params.contentText)
        return Share.ContentState(
          isValid: await isContentValid(post), charactersRemaining: charactersRemaining(in: post))
      },
      SessionHandler(Share.Completions.self) { params, _ in
        let post = try requests.scope(of: params.requestID).draft(params.contentText)
        return Share.Completions.Result(completions: await completions(of: post))
      },
      SessionHandler(Share.ConfigurationItems.self) { params, _ in
        Share.Configuration(items: try await current(requests.scope(of: params.requestID)))
      },
      SessionHandler(Share.SelectConfigurationItem.self) { params, _ in
        let scope = try requests.scope(of: params.requestID)
        guard let item = try await current(scope).first(where: { $0.id == params.id }) else {
          throw ExtensionError(.invalidParams, "There is no configuration item \(params.id).")
        }
        if let value = params.value {
          try item.check(value)
          scope.choose(value, for: params.id)
        }
        return Share.Configuration(items: try await current(scope))
      },
    ]
  }

  /// The end of the sheet.
  private func endHandlers(_ requests: OpenRequests) -> [SessionHandler] {
    [
      SessionHandler(answering: Share.DidSelectPost.self) { params, session in
        let scope = try requests.scope(of: params.requestID)
        let context = ExtensionContext(requestID: params.requestID, session: session, scope: scope)
        return Answer(Empty()).afterwards {
          await requests.run(params.requestID, on: session) {
            try await didSelectPost(post(params.contentText, scope), in: context)
          }
        }
      },
      SessionHandler(answering: Share.DidSelectCancel.self) { params, session in
        let scope = try requests.scope(of: params.requestID)
        let context = ExtensionContext(requestID: params.requestID, session: session, scope: scope)
        return Answer(Empty()).afterwards {
          await requests.run(params.requestID, on: session) {
            await didSelectCancel(in: context)
            throw Request.Cancel.Failure.userCancelled
          }
        }
      },
    ]
  }

  /// The items with what the user chose.
  private func current(_ scope: RequestScope) async throws -> [Share.ConfigurationItem] {
    let chosen = scope.values
    return try await configurationItems(for: scope.begin.inputItems).map { item in
      var item = item
      if let value = chosen[item.id] { (item.value, item.valuePending) = (value, false) }
      return item
    }
  }

  private func post(_ contentText: String, _ scope: RequestScope) async throws -> SharePost {
    var configuration: [String: String] = [:]
    for item in try await current(scope) { configuration[item.id] = item.value }
    return SharePost(contentText: contentText, items: scope.begin.inputItems, configuration: configuration)
  }
}

extension RequestScope {
  /// A text that is being written.
  fileprivate func draft(_ contentText: String) -> SharePost {
    SharePost(contentText: contentText, items: begin.inputItems, configuration: values)
  }
}

extension ExtensionContext {
  /// Says that the text of the open sheet has become valid or invalid for a reason that is not the text.
  ///
  /// - Throws: `requestUnknown` when the sheet is no longer open.
  public func setContentState(_ state: Share.ContentState) async throws(ExtensionError) {
    _ = try await call(Share.SetContentState(requestID: requestID, state: state))
  }
}

/// What a user posts: the text of the compose field, the items that were shared, and what was chosen.
public struct SharePost: Sendable {
  /// The text as the user left it, the host's own included.
  public var contentText: String
  /// The items that the user shares, as the request has them.
  public var items: [ExtensionItem]
  /// What the user chose, by the id of the configuration item; an item that nobody touched has the value that the
  /// extension gave it.
  public var configuration: [String: String]

  /// Makes a post; tests call an extension with it.
  public init(contentText: String, items: [ExtensionItem], configuration: [String: String] = [:]) {
    self.contentText = contentText
    self.items = items
    self.configuration = configuration
  }
}
