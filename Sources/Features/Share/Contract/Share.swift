public import ExtensionProtocol

/// `share/…`: the compose contract of a Share extension (`SLComposeServiceViewController`).
public enum Share: ServiceContract {
  public static let name = "share"
  public static let methods: [any RemoteMethod.Type] = [SetContentState.self]

  /// What an extension thinks of a text.
  public struct ContentState: Codable, Sendable, Equatable {
    public var isValid: Bool
    /// How many characters may follow, negative when there are too many; `nil` hides the counter.
    public var charactersRemaining: Int?

    public init(isValid: Bool, charactersRemaining: Int? = nil) {
      self.isValid = isValid
      self.charactersRemaining = charactersRemaining
    }
  }

  /// `share/presentation`, host to extension: the compose sheet is about to be shown; what stands in it before the user
  /// writes?
  public struct Presentation: RemoteMethod {
    public static let method = "share/presentation"

    public struct Result: Codable, Sendable, Equatable {
      /// Shown where there is no text yet.
      public var placeholder: String?
      /// The text to begin with, instead of the host's.
      public var contentText: String?
      /// A line that says what will be shared.
      public var preview: String?

      public init(placeholder: String? = nil, contentText: String? = nil, preview: String? = nil) {
        self.placeholder = placeholder
        self.contentText = contentText
        self.preview = preview
      }
    }

    public var requestID: String
    public init(requestID: String) { self.requestID = requestID }
  }

  /// `share/validateContent`, host to extension: may this text be posted? Asked again after every change.
  public struct ValidateContent: RemoteMethod {
    public typealias Result = ContentState
    public static let method = "share/validateContent"

    public var requestID: String
    public var contentText: String

    public init(requestID: String, contentText: String) {
      self.requestID = requestID
      self.contentText = contentText
    }
  }

  /// `share/didSelectPost`, host to extension: the user posts. The extension answers, then completes the request. Never
  /// called with a text that the extension refused.
  public struct DidSelectPost: RemoteMethod {
    public typealias Result = Empty
    public static let method = "share/didSelectPost"
    public static let deadline = RequestDeadline.request

    public var requestID: String
    public var contentText: String

    public init(requestID: String, contentText: String) {
      self.requestID = requestID
      self.contentText = contentText
    }
  }

  /// `share/didSelectCancel`, host to extension: the user does not post. The extension answers, then cancels the request.
  public struct DidSelectCancel: RemoteMethod {
    public typealias Result = Empty
    public static let method = "share/didSelectCancel"
    public var requestID: String
    public init(requestID: String) { self.requestID = requestID }
  }

  /// `share/setContentState`, extension to host: the text of the open sheet has become valid or invalid, for a reason that
  /// is not the text.
  public struct SetContentState: RemoteMethod {
    public typealias Result = Empty
    public static let method = "share/setContentState"

    public var requestID: String
    public var charactersRemaining: Int?
    public var isValid: Bool

    public init(requestID: String, state: ContentState) {
      self.requestID = requestID
      charactersRemaining = state.charactersRemaining
      isValid = state.isValid
    }

    public var state: ContentState { ContentState(isValid: isValid, charactersRemaining: charactersRemaining) }
  }
}
