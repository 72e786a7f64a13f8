public import ExtensionProtocol
public import JSON

/// `context/…`: a user's request from its beginning to its one end.
public enum Request: ServiceContract {
  /// The prefix of the methods.
  public static let name = "context"
  /// Open to every extension point, for the requests of the process itself.
  public static let methods: [any RemoteMethod.Type] = [
    Complete.self, Cancel.self, BeginExpiringActivity.self, EndExpiringActivity.self,
  ]
  /// Every extension point.
  public static let access = [
    Allowlist.Row(
      "context/*", nil, nil, "An extension ends its own requests; the broker checks that they are its own.")
  ]

  /// The host's calls at the beginning and during a request.
  public static let calls: [HostCall] = [
    .request(Begin.self, transfers: [.itemsIn("inputItems")]), .notification(Withdraw.self),
    .notification(HostStateDidChange.self), .notification(WillExpire.self),
  ]

  /// `context/beginRequest`, host to extension: here are the input items. Answered quickly; the end comes by
  /// ``Complete`` or ``Cancel``.
  public struct Begin: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "context/beginRequest"

    /// Whether the extension accepts the request.
    public struct Result: Codable, Sendable, Equatable {
      /// Whether the extension accepts the request; `false` fails it with `handlerFailed`.
      public var accepted: Bool
      /// Creates an answer; `false` is for items that the extension cannot use.
      public init(accepted: Bool = true) { self.accepted = accepted }
    }

    /// New for each request; every call about it names it.
    public var requestID: String
    /// The extension point that the process serves in this request.
    public var point: ExtensionPoint
    /// The items without the attachments that do not show themselves to the extension.
    public var inputItems: [ExtensionItem]
    /// The host app, with the types that it accepts.
    public var host: HostApp?
    /// The place where the extension can display something.
    public var presentation: Presentation?

    /// Creates the params; without `host` and `presentation` the extension learns nothing about the host app.
    public init(
      requestID: String, point: ExtensionPoint, inputItems: [ExtensionItem], host: HostApp? = nil,
      presentation: Presentation? = nil
    ) {
      self.requestID = requestID
      self.point = point
      self.inputItems = inputItems
      self.host = host
      self.presentation = presentation
    }
  }

  /// `context/completeRequest`, extension to host: the request is done. A second end is refused with `alreadyCompleted`.
  public struct Complete: RemoteMethod {
    /// The wire name; extensions call it.
    public static let method = "context/completeRequest"

    /// Whether the items were delivered, and the limits of the work that continues.
    public struct Result: Codable, Sendable, Equatable {
      /// Always `true`: an end that comes too late is an error.
      public var delivered: Bool
      /// Ends the completion work that was announced.
      public var token: String?
      /// The time in milliseconds until the host may end the process although work continues; `nil` without such work.
      @NonNegative<Int?> public var expiresInMs: Int?

      /// Creates an answer; `token` and `expiresInMs` are there only for completion work.
      public init(delivered: Bool = true, token: String? = nil, expiresInMs: Int? = nil) {
        self.delivered = delivered
        self.token = token
        self.expiresInMs = expiresInMs
      }
    }

    /// The request that is done.
    public var requestID: String
    /// The items for the host app; `nil` means none.
    public var returningItems: [ExtensionItem]?
    /// Something is still to be done after the end; the answer then has a token for ``EndExpiringActivity``.
    public var completionWork: Bool?

    /// Creates the params; the extension may continue to work after the end only if `completionWork` is `true`.
    public init(requestID: String, returningItems: [ExtensionItem]?, completionWork: Bool? = nil) {
      self.requestID = requestID
      self.returningItems = returningItems
      self.completionWork = completionWork
    }
  }

  /// `context/cancelRequest`, extension to host: the request ends without a result, and why.
  public struct Cancel: RemoteMethod {
    /// Empty: the request is cancelled.
    public typealias Result = Empty
    /// The wire name; extensions call it.
    public static let method = "context/cancelRequest"

    /// The reason a request ended without a result, in the form of `NSError`.
    public struct Failure: Error, Codable, Sendable, Equatable {
      /// An error domain, for example `NSCocoaErrorDomain`.
      public var domain: String
      /// A number within the domain.
      @Exact<Int> public var code: Int
      /// The description of the error for people, in the language of the extension.
      public var localizedDescription: String?
      /// Further information about the error.
      public var userInfo: [String: JSONValue]?

      /// Creates an error; nothing but the domain and the code is needed.
      public init(
        domain: String, code: Int, localizedDescription: String? = nil, userInfo: [String: JSONValue]? = nil
      ) {
        self.domain = domain
        self.code = code
        self.localizedDescription = localizedDescription
        self.userInfo = userInfo
      }

      /// The user changed their mind: `NSCocoaErrorDomain` 3072.
      public static let userCancelled = Failure(
        domain: "NSCocoaErrorDomain", code: 3072, localizedDescription: "The user cancelled.")

      /// Whether it is what clients make of an error that the extension did not expect, and has written to standard error.
      public var isUnexpected: Bool {
        domain == "ExtensionErrorDomain" && code == ExtensionError.Code.handlerFailed.number
      }

      /// The key of ``userInfo`` under which the items that failed stand, each with its error.
      public static let itemsAndErrorsKey = "NSExtensionItemsAndErrorsKey"
    }

    /// The request that is cancelled.
    public var requestID: String
    /// The reason; ``Failure/userCancelled`` when the user cancelled.
    public var error: Failure

    /// Ends a request with an error of any domain.
    public init(requestID: String, error: Failure) {
      self.requestID = requestID
      self.error = error
    }
  }

  /// `context/cancel`, host to extension: the host withdrew the request; its context is no longer valid.
  public struct Withdraw: RemoteNotification {
    /// The wire name; the host sends it.
    public static let method = "context/cancel"
    /// The request that is no longer open.
    public var requestID: String
    /// The reason: the user, a deadline, or an error of the host.
    public var error: Cancel.Failure?

    /// Withdraws a request; without an error the host does not say why.
    public init(requestID: String, error: Cancel.Failure? = nil) {
      self.requestID = requestID
      self.error = error
    }
  }
}
