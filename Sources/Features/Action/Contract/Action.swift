public import ExtensionProtocol
public import JSON
import JSONRPC

/// `action/…`: an Action extension looks at items or transforms them.
public enum Action: ServiceContract {
  /// The prefix of the method.
  public static let name = "action"
  /// None: an Action extension has no methods of its own; it ends its request with `context/…`.
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
      /// The view that an action with a user interface shows before it runs; `nil` for one without.
      public var view: WidgetView?
      /// Creates an answer; without a view the host shows nothing.
      public init(view: WidgetView? = nil) { self.view = view }
    }

    /// The request that ``Request/Begin`` opened.
    public var requestID: String
    /// The items that the action reads or transforms: those of the request.
    public var inputItems: [ExtensionItem]
    /// The results of a web page's preprocessing, for an extension that takes web pages.
    public var pageResults: JSONObject?

    /// Creates the params; page results are only for an action that takes web pages.
    public init(requestID: String, inputItems: [ExtensionItem], pageResults: JSONObject? = nil) {
      self.requestID = requestID
      self.inputItems = inputItems
      self.pageResults = pageResults
    }
  }

  /// The effect of an action on the items (`NSExtensionServiceRoleType`).
  public enum Role: String, Codable, Sendable, CaseIterable {
    /// Returns modified items, which take the place of those it was given.
    case editor = "NSExtensionServiceRoleTypeEditor"
    /// Returns nothing.
    case viewer = "NSExtensionServiceRoleTypeViewer"
  }
}
