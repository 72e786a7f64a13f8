public import ExtensionProtocol
public import JSON
import JSONRPC

/// `action/…`: an Action extension looks at items or transforms them.
public enum Action: ServiceContract {
  /// The prefix of the method.
  public static let name = "action"
  /// None: an Action extension calls nothing of its own, it ends its request under `context/`.
  public static let methods: [any RemoteMethod.Type] = []

  /// `action/perform`, host to extension: act on the input items. The extension answers, then completes the request with
  /// the items it made.
  public struct Perform: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "action/perform"
    /// A minute since the last call, log line or progress, ten minutes in all.
    public static let deadline = RequestDeadline.request

    /// The answer, which comes before the request is completed.
    public struct Result: Codable, Sendable, Equatable {
      /// What an action with a user interface shows before it is done; without one nothing is shown.
      public var view: WidgetView?
      /// Makes an answer; without a view the host shows nothing.
      public init(view: WidgetView? = nil) { self.view = view }
    }

    /// The request that ``Request/Begin`` opened.
    public var requestID: String
    /// What the action looks at or transforms: the items of the request again.
    public var inputItems: [ExtensionItem]
    /// What the host knows of a web page, for an extension that takes web pages.
    public var pageResults: JSONObject?

    /// Makes the params; page results are only for an action that takes web pages.
    public init(requestID: String, inputItems: [ExtensionItem], pageResults: JSONObject? = nil) {
      self.requestID = requestID
      self.inputItems = inputItems
      self.pageResults = pageResults
    }
  }

  /// What an action may do with the items (`NSExtensionServiceRoleType`).
  public enum Role: String, Codable, Sendable, CaseIterable {
    /// Returns modified items, which take the place of those it was given.
    case editor = "NSExtensionServiceRoleTypeEditor"
    /// Returns nothing.
    case viewer = "NSExtensionServiceRoleTypeViewer"
  }
}
