public import ExtensionProtocol

/// `share/…`: the compose contract of a Share extension.
public enum Share: ServiceContract {
  public static let name = "share"
  public static let methods: [any RemoteMethod.Type] = []

  /// `share/validateContent`, host to extension: may this text be posted?
  public struct ValidateContent: RemoteMethod {
    public static let method = "share/validateContent"

    public struct Result: Codable, Sendable, Equatable {
      public var isValid: Bool
      /// `nil` hides the counter.
      public var charactersRemaining: Int?

      public init(isValid: Bool, charactersRemaining: Int? = nil) {
        self.isValid = isValid
        self.charactersRemaining = charactersRemaining
      }
    }

    public var requestID: String
    public var contentText: String

    public init(requestID: String, contentText: String) {
      self.requestID = requestID
      self.contentText = contentText
    }
  }

  /// `share/didSelectPost`, host to extension: the user posts. The extension answers, then completes the request.
  public struct DidSelectPost: RemoteMethod {
    public typealias Result = Empty
    public static let method = "share/didSelectPost"

    public var requestID: String
    public var contentText: String

    public init(requestID: String, contentText: String) {
      self.requestID = requestID
      self.contentText = contentText
    }
  }
}
