public import ExtensionProtocol
public import JSONRPC

/// `action/…`: an Action extension looks at items or transforms them.
public enum Action: ServiceContract {
  public static let name = "action"
  public static let methods: [any RemoteMethod.Type] = []

  /// `action/perform`, host to extension: act on the input items. The extension answers, then completes the request with
  /// the items it made.
  public struct Perform: RemoteMethod {
    public static let method = "action/perform"
    public static let deadline = RequestDeadline.request

    public struct Result: Codable, Sendable, Equatable {
      /// What an action with a user interface shows before it is done; without one nothing is shown.
      public var view: WidgetView?
      public init(view: WidgetView? = nil) { self.view = view }
    }

    public var requestID: String
    public var inputItems: [ExtensionItem]
    /// What the host knows of a web page, for an extension that takes web pages.
    public var pageResults: JSONObject?

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
