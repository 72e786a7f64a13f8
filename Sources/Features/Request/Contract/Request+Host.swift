public import ExtensionProtocol

/// What an extension learns of the host app of a request.
extension Request {
  /// Who asks.
  public struct HostApp: Codable, Sendable, Equatable {
    public var bundleID: String
    /// The types that may be returned; `nil` takes any. Attachments of other types are dropped.
    public var acceptableTypes: [String]?

    public init(bundleID: String, acceptableTypes: [String]? = nil) {
      self.bundleID = bundleID
      self.acceptableTypes = acceptableTypes
    }
  }

  /// Where a request is shown.
  public struct Presentation: Codable, Sendable, Equatable {
    /// Whether a user answers.
    public var interactive: Bool
    /// The room for a view, in the cells of a terminal; `nil` without a terminal.
    public var size: WidgetSize?

    public init(interactive: Bool, size: WidgetSize? = nil) {
      self.interactive = interactive
      self.size = size
    }
  }

  /// `context/hostStateDidChange`, host to extension: what happens to the host app while the request is open.
  public struct HostStateDidChange: RemoteNotification {
    public static let method = "context/hostStateDidChange"

    public enum State: String, Codable, Sendable, CaseIterable {
      /// `NSExtensionHostWillEnterForeground`
      case willEnterForeground
      /// `NSExtensionHostDidEnterBackground`: only a short time is left; ask for an expiring activity if it is needed.
      case didEnterBackground
      /// `NSExtensionHostWillResignActive`
      case willResignActive
      /// `NSExtensionHostDidBecomeActive`
      case didBecomeActive
    }

    public var requestID: String
    public var state: State

    public init(requestID: String, state: State) {
      self.requestID = requestID
      self.state = state
    }
  }

  /// `context/willExpire`, host to extension: the process is about to be ended while work is still going on.
  public struct WillExpire: RemoteNotification {
    public static let method = "context/willExpire"
    /// The request whose work it is; `nil` for all.
    public var requestID: String?
    /// Milliseconds until the end.
    public var deadlineMs: Int

    public init(requestID: String? = nil, deadlineMs: Int) {
      self.requestID = requestID
      self.deadlineMs = deadlineMs
    }
  }

  /// `context/expiringActivity/begin`, extension to host: something that should not be interrupted begins. The host waits
  /// for its end a short time before it ends the process.
  public struct BeginExpiringActivity: RemoteMethod {
    public static let method = "context/expiringActivity/begin"

    public struct Result: Codable, Sendable, Equatable {
      public var token: String
      /// Milliseconds that the host waits, from the moment at which it would end the process.
      public var expiresInMs: Int

      public init(token: String, expiresInMs: Int) {
        self.token = token
        self.expiresInMs = expiresInMs
      }
    }

    /// For people: what is being done.
    public var reason: String
    public init(reason: String) { self.reason = reason }
  }

  /// `context/expiringActivity/end`, extension to host.
  public struct EndExpiringActivity: RemoteMethod {
    public typealias Result = Empty
    public static let method = "context/expiringActivity/end"
    public var token: String
    public init(token: String) { self.token = token }
  }
}
