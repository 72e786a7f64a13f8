public import ExtensionProtocol

/// `url/…`: a Today widget reaches its containing app.
public enum OpenURL: ServiceContract {
  /// The prefix of the method.
  public static let name = "url"
  /// The methods that only a Today widget may call.
  public static let methods: [any RemoteMethod.Type] = [Open.self]
  /// Today widgets only.
  public static let access = [
    Allowlist.Row("url/open", [.today], nil, "Only a Today widget may open URLs, and only its containing app's.")
  ]

  /// `url/open`, extension to host. A URL that is not opened is no error: `success` is false, and `reason` says why. A
  /// point that may not open URLs at all is refused with `pointDisallows`, as for every method.
  public struct Open: RemoteMethod {
    /// The wire name; Today widgets call it.
    public static let method = "url/open"

    /// Whether the app got the URL.
    public struct Result: Codable, Sendable, Equatable {
      /// Whether the containing app took the URL.
      public var success: Bool
      /// `malformed`, `requestUnknown`, `schemeUnregistered`, `notContainingApp`, `rateLimited` or `launchFailed`.
      public var reason: String?

      /// Creates an answer; a reason is there only without success.
      public init(success: Bool, reason: String? = nil) {
        self.success = success
        self.reason = reason
      }
    }

    /// The open request that the URL is opened for; one URL for each.
    public var requestID: String
    /// A URL with a scheme that the containing app's manifest declares.
    public var url: String

    /// Asks for a URL in the name of an open request.
    public init(requestID: String, url: String) {
      self.requestID = requestID
      self.url = url
    }
  }

  /// `app/openURL`, host to containing app: open this.
  public struct Deliver: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "app/openURL"

    /// The process that opened the URL: an extension, or none for the user.
    public struct Source: Codable, Sendable, Equatable {
      /// The extension's identifier; `nil` when the user opened the URL.
      public var bundleID: String?
      /// The extension's point; `nil` when the user opened the URL.
      public var point: ExtensionPoint?

      /// Creates a source; without anything it is the user.
      public init(bundleID: String? = nil, point: ExtensionPoint? = nil) {
        self.bundleID = bundleID
        self.point = point
      }
    }

    /// The app's answer to the URL.
    public struct Result: Codable, Sendable, Equatable {
      /// Whether the app knows the URL.
      public var handled: Bool
      /// The text that the app displays for the URL.
      public var presentation: String?

      /// Creates an answer; an app that shows nothing has no presentation.
      public init(handled: Bool, presentation: String? = nil) {
        self.handled = handled
        self.presentation = presentation
      }
    }

    /// The URL as it was given, of a scheme that the app declares.
    public var url: String
    /// The process that opened the URL.
    public var source: Source

    /// Creates the params with a URL and its source.
    public init(url: String, source: Source) {
      self.url = url
      self.source = source
    }
  }
}

extension OpenURL: PointContract {
  /// A containing app, which is no extension, and is asked to open the URLs of its own schemes.
  public static let definition = ExtensionPointDefinition(
    .containingApp, shortName: "app", role: "an app", plural: "the apps", calls: [.request(Deliver.self)],
    commonCalls: [Sessions.self], limits: ExtensionLimits(memoryMiB: 256))
  /// Containing apps.
  public static let points = [definition]
}
