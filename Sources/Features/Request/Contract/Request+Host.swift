public import ExtensionProtocol

/// The description of a request's host app for the extension.
extension Request {
  /// The host app.
  public struct HostApp: Codable, Sendable, Equatable {
    /// `CFBundleIdentifier` of the host app. It decides which attachments show themselves; see
    /// ``ItemProvider/Visibility``.
    public var bundleID: String
    /// The types that may be returned; `nil` takes any. Attachments of other types are dropped.
    public var acceptableTypes: [String]?

    /// Creates the description of a host app; `nil` takes items of any type.
    public init(bundleID: String, acceptableTypes: [String]? = nil) {
      self.bundleID = bundleID
      self.acceptableTypes = acceptableTypes
    }
  }

  /// The place where a request is displayed.
  public struct Presentation: Codable, Sendable, Equatable {
    /// Whether a user answers.
    public var interactive: Bool
    /// The size for a view, in the cells of a terminal; `nil` without a terminal.
    public var size: WidgetSize?

    /// Creates the description of where a request is shown; without a size there is no terminal.
    public init(interactive: Bool, size: WidgetSize? = nil) {
      self.interactive = interactive
      self.size = size
    }
  }

  /// `context/hostStateDidChange`, host to extension: what happens to the host app while the request is open.
  public struct HostStateDidChange: RemoteNotification {
    /// The wire name; the host sends it.
    public static let method = "context/hostStateDidChange"

    /// The states, with the names of Apple's notifications of `NSExtensionContext`.
    public enum State: String, Codable, Sendable, CaseIterable {
      /// `NSExtensionHostWillEnterForeground`
      case willEnterForeground
      /// `NSExtensionHostDidEnterBackground`: only a short time is left; the extension may ask for an expiring
      /// activity.
      case didEnterBackground
      /// `NSExtensionHostWillResignActive`
      case willResignActive
      /// `NSExtensionHostDidBecomeActive`
      case didBecomeActive
    }

    /// The request of ``Begin``.
    public var requestID: String
    /// The new state.
    public var state: State

    /// Creates the notification of one request; the host sends one for each open request.
    public init(requestID: String, state: State) {
      self.requestID = requestID
      self.state = state
    }
  }

  /// `context/willExpire`, host to extension: the process is about to be ended while work is still going on.
  public struct WillExpire: RemoteNotification {
    /// The wire name; the host sends it.
    public static let method = "context/willExpire"
    /// The request that the work belongs to; `nil` for all.
    public var requestID: String?
    /// Milliseconds until the end.
    @NonNegative<Int> public var deadlineMs: Int

    /// Creates the params.
    ///
    /// - Parameters:
    ///   - requestID: `nil` for the work of all requests.
    ///   - deadlineMs: milliseconds until the process is ended.
    public init(requestID: String? = nil, deadlineMs: Int) {
      self.requestID = requestID
      self.deadlineMs = deadlineMs
    }
  }

  /// `context/expiringActivity/begin`, extension to host: something that should not be interrupted begins. The host waits
  /// for its end a short time before it ends the process.
  public struct BeginExpiringActivity: RemoteMethod {
    /// The wire name; extensions call it. At most 16 activities of a process at one time: more are `limitExceeded`.
    public static let method = "context/expiringActivity/begin"

    /// Names the activity, and says how long it may take.
    public struct Result: Codable, Sendable, Equatable {
      /// The token for ``EndExpiringActivity``, valid once.
      public var token: String
      /// Milliseconds that the host waits, from the moment at which it would end the process.
      @NonNegative<Int> public var expiresInMs: Int

      /// Creates an answer; the time is in milliseconds.
      public init(token: String, expiresInMs: Int) {
        self.token = token
        self.expiresInMs = expiresInMs
      }
    }

    /// A description of the work, for people.
    public var reason: String
    /// Announces work, with a reason that appears in traces.
    public init(reason: String) { self.reason = reason }
  }

  /// `context/expiringActivity/end`, extension to host.
  public struct EndExpiringActivity: RemoteMethod {
    /// Empty: the process may be ended now, unless it has other activities.
    public typealias Result = Empty
    /// The wire name; extensions call it. A token that was given back before is refused with `invalidParams`.
    public static let method = "context/expiringActivity/end"
    /// The one that began the activity.
    public var token: String
    /// Gives back the token of one activity, or of completion work.
    public init(token: String) { self.token = token }
  }
}
