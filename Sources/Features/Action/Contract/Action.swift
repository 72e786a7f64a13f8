public import ExtensionProtocol

/// `action/…`: an Action extension looks at items or transforms them.
public enum Action: ServiceContract {
  public static let name = "action"
  public static let methods: [any RemoteMethod.Type] = []

  /// `action/perform`, host to extension: act on the input items. The extension answers, then completes the request with
  /// the items it made.
  public struct Perform: RemoteMethod {
    public typealias Result = Empty
    public static let method = "action/perform"

    public var requestID: String
    public var inputItems: [ExtensionItem]

    public init(requestID: String, inputItems: [ExtensionItem]) {
      self.requestID = requestID
      self.inputItems = inputItems
    }
  }
}
