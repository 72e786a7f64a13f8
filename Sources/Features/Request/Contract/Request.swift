public import ExtensionProtocol
public import JSONRPC

/// `context/…`: a user's request from its beginning to its one end.
public enum Request: ServiceContract {
  public static let name = "context"
  public static let methods: [any RemoteMethod.Type] = [
    Complete.self, Cancel.self, BeginExpiringActivity.self, EndExpiringActivity.self,
  ]
  public static let access = [
    Allowlist.Row(
      "context/*", nil, nil, "An extension ends its own requests; the broker checks that they are its own.")
  ]

  /// `context/beginRequest`, host to extension: here are the input items. Answered quickly; the end comes by
  /// ``Complete`` or ``Cancel``.
  public struct Begin: RemoteMethod {
    public static let method = "context/beginRequest"

    public struct Result: Codable, Sendable, Equatable {
      public var accepted: Bool
      public init(accepted: Bool = true) { self.accepted = accepted }
    }

    public var requestID: String
    public var point: ExtensionPoint
    public var inputItems: [ExtensionItem]
    /// Who asks, and what it takes back.
    public var host: HostApp?
    /// Where the extension can show something.
    public var presentation: Presentation?

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
    public static let method = "context/completeRequest"

    public struct Result: Codable, Sendable, Equatable {
      public var delivered: Bool
      /// Ends the completion work that was announced.
      public var token: String?
      /// Milliseconds until the process may be ended although the work goes on.
      public var expiresInMs: Int?

      public init(delivered: Bool = true, token: String? = nil, expiresInMs: Int? = nil) {
        self.delivered = delivered
        self.token = token
        self.expiresInMs = expiresInMs
      }
    }

    public var requestID: String
    public var returningItems: [ExtensionItem]?
    /// Something is still to be done after the end; the answer then has a token for ``EndExpiringActivity``.
    public var completionWork: Bool?

    public init(requestID: String, returningItems: [ExtensionItem]?, completionWork: Bool? = nil) {
      self.requestID = requestID
      self.returningItems = returningItems
      self.completionWork = completionWork
    }
  }

  /// `context/cancelRequest`, extension to host: the request ends without a result, and why.
  public struct Cancel: RemoteMethod {
    public typealias Result = Empty
    public static let method = "context/cancelRequest"

    public struct Failure: Error, Codable, Sendable, Equatable {
      /// An error domain, for example `NSCocoaErrorDomain`.
      public var domain: String
      public var code: Int
      public var localizedDescription: String?
      public var userInfo: [String: JSONValue]?

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

      /// The key of ``userInfo`` under which the items that failed stand, each with its error.
      public static let itemsAndErrorsKey = "NSExtensionItemsAndErrorsKey"
    }

    public var requestID: String
    public var error: Failure

    public init(requestID: String, error: Failure) {
      self.requestID = requestID
      self.error = error
    }
  }

  /// `context/cancel`, host to extension: the host withdrew the request; its context is no longer valid.
  public struct Withdraw: RemoteNotification {
    public static let method = "context/cancel"
    public var requestID: String
    /// Why: the user, a deadline, or an error of the host.
    public var error: Cancel.Failure?

    public init(requestID: String, error: Cancel.Failure? = nil) {
      self.requestID = requestID
      self.error = error
    }
  }
}
