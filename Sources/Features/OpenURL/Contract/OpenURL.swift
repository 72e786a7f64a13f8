public import ExtensionProtocol

/// `url/…`: a Today widget reaches its containing app.
public enum OpenURL: ServiceContract {
  public static let name = "url"
  public static let methods: [any RemoteMethod.Type] = [Open.self]
  public static let access = [
    Allowlist.Row("url/open", [.today], nil, "Only a Today widget may open URLs, and only its containing app's.")
  ]

  /// `url/open`, extension to host. A URL that is not opened is no error: `success` is false, and `reason` says why. A
  /// point that may not open URLs at all is refused with `pointDisallows`, as for every method.
  public struct Open: RemoteMethod {
    public static let method = "url/open"

    public struct Result: Codable, Sendable, Equatable {
      public var success: Bool
      /// `malformed`, `requestUnknown`, `schemeUnregistered`, `notContainingApp`, `rateLimited` or `launchFailed`.
      public var reason: String?

      public init(success: Bool, reason: String? = nil) {
        self.success = success
        self.reason = reason
      }
    }

    public var requestID: String
    public var url: String

    public init(requestID: String, url: String) {
      self.requestID = requestID
      self.url = url
    }
  }

  /// `app/openURL`, host to containing app: open this.
  public struct Deliver: RemoteMethod {
    public static let method = "app/openURL"

    /// Who asked: an extension, or nobody for the user.
    public struct Source: Codable, Sendable, Equatable {
      public var bundleID: String?
      public var point: ExtensionPoint?

      public init(bundleID: String? = nil, point: ExtensionPoint? = nil) {
        self.bundleID = bundleID
        self.point = point
      }
    }

    public struct Result: Codable, Sendable, Equatable {
      public var handled: Bool
      /// What the app shows for the URL, as text.
      public var presentation: String?

      public init(handled: Bool, presentation: String? = nil) {
        self.handled = handled
        self.presentation = presentation
      }
    }

    public var url: String
    public var source: Source

    public init(url: String, source: Source) {
      self.url = url
      self.source = source
    }
  }
}
