public import ExtensionProtocol

/// `share/…`: the compose contract of a Share extension (`SLComposeServiceViewController`).
public enum Share: ServiceContract {
  /// The prefix of the methods.
  public static let name = "share"
  /// The methods that only a Share extension may call.
  public static let methods: [any RemoteMethod.Type] = [SetContentState.self]

  /// The extension's judgement of a text.
  public struct ContentState: Codable, Sendable, Equatable {
    /// Whether the user may post the text.
    public var isValid: Bool
    /// How many characters may follow, negative when there are too many; `nil` hides the counter.
    @Exact<Int?> public var charactersRemaining: Int?

    /// Creates a state; without a number no counter is shown.
    public init(isValid: Bool, charactersRemaining: Int? = nil) {
      self.isValid = isValid
      self.charactersRemaining = charactersRemaining
    }
  }

  /// `share/presentation`, host to extension: the host is about to show the compose sheet and asks for its initial
  /// content.
  public struct Presentation: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "share/presentation"

    /// The initial content of the sheet; every member may be absent.
    public struct Result: Codable, Sendable, Equatable {
      /// Shown where there is no text yet.
      public var placeholder: String?
      /// The text to begin with, instead of the host's.
      public var contentText: String?
      /// A line that says what will be shared.
      public var preview: String?

      /// Creates an answer; what is missing is as the host has it.
      public init(placeholder: String? = nil, contentText: String? = nil, preview: String? = nil) {
        self.placeholder = placeholder
        self.contentText = contentText
        self.preview = preview
      }
    }

    /// The request of the sheet.
    public var requestID: String
    /// Asks what the sheet of a request begins with.
    public init(requestID: String) { self.requestID = requestID }
  }

  /// `share/validateContent`, host to extension: may this text be posted? Asked again after every change.
  public struct ValidateContent: RemoteMethod {
    /// The extension's judgement of the text.
    public typealias Result = ContentState
    /// The wire name; the host calls it. An extension that does not serve it takes every text.
    public static let method = "share/validateContent"

    /// The request of the sheet.
    public var requestID: String
    /// The current text of the sheet.
    public var contentText: String

    /// Asks about a text of the open sheet; it may be empty.
    public init(requestID: String, contentText: String) {
      self.requestID = requestID
      self.contentText = contentText
    }
  }

  /// `share/didSelectPost`, host to extension: the user posts. The extension answers, then completes the request. Never
  /// called with a text that the extension refused.
  public struct DidSelectPost: RemoteMethod {
    /// Empty: the extension is posting, and completes the request when it has.
    public typealias Result = Empty
    /// The wire name; the host calls it.
    public static let method = "share/didSelectPost"
    /// A minute since the last call, log line or progress, ten minutes in all.
    public static let deadline = RequestDeadline.request

    /// The request of the sheet.
    public var requestID: String
    /// The text that the extension called valid.
    public var contentText: String

    /// Posts a text that the extension called valid.
    public init(requestID: String, contentText: String) {
      self.requestID = requestID
      self.contentText = contentText
    }
  }

  /// `share/didSelectCancel`, host to extension: the user does not post. The extension answers, then cancels the request.
  public struct DidSelectCancel: RemoteMethod {
    /// Empty: the extension cancels the request.
    public typealias Result = Empty
    /// The wire name; the host calls it.
    public static let method = "share/didSelectCancel"
    /// The request of the sheet.
    public var requestID: String
    /// Tells the extension that the user gave the sheet up.
    public init(requestID: String) { self.requestID = requestID }
  }

  /// `share/setContentState`, extension to host: the text of the open sheet has become valid or invalid, for a reason that
  /// is not the text.
  public struct SetContentState: RemoteMethod {
    /// Empty: the sheet says so.
    public typealias Result = Empty
    /// The wire name; Share extensions call it. A sheet that is not open is refused with `requestUnknown`.
    public static let method = "share/setContentState"

    /// The request of the sheet.
    public var requestID: String
    /// `nil` hides the counter.
    @Exact<Int?> public var charactersRemaining: Int?
    /// Whether the text may be posted.
    public var isValid: Bool

    /// Creates the params of a state.
    public init(requestID: String, state: ContentState) {
      self.requestID = requestID
      charactersRemaining = state.charactersRemaining
      isValid = state.isValid
    }

    /// The two members as one value.
    public var state: ContentState { ContentState(isValid: isValid, charactersRemaining: charactersRemaining) }
  }
}

extension ExtensionPoint {
  /// Share extensions.
  public static let share = ExtensionPoint(rawValue: "com.apple.share-services")
}

extension Share: PointContract {
  /// Share extensions only.
  public static let access = [Allowlist.Row("share/*", [.share], nil, "Share calls belong to Share extensions.")]

  /// `com.apple.share-services`, with a ceiling of 128 MiB of memory.
  public static let definition = ExtensionPointDefinition(
    .share, shortName: "share", role: "a Share extension", plural: "the Share extensions", position: 20,
    calls: [
      .request(Presentation.self, isOptional: true), .request(ValidateContent.self, isOptional: true),
      .request(Completions.self, isOptional: true), .request(ConfigurationItems.self, isOptional: true),
      .request(SelectConfigurationItem.self, isOptional: true), .request(DidSelectPost.self),
      .request(DidSelectCancel.self, isOptional: true),
    ], commonCalls: [Request.self, Items.self], limits: ExtensionLimits(memoryMiB: 128), takesItems: true,
    manifest: ManifestRules(keys: [.preprocessing]))
  /// This one point.
  public static let points = [definition]
}
