public import ExtensionProtocol

/// `session/…`: uploads and downloads that continue after the process that began them has exited.
///
/// A session belongs to one process at a time, by a lease whose token is the session's epoch. A call with an older
/// epoch is refused as ``SessionErrorCode/wasDisconnected``. Events report the progress of the transfers; they are kept
/// until they are acknowledged.
public enum Sessions: ServiceContract {
  /// The prefix of the methods.
  public static let name = "session"
  /// The methods that extensions and containing apps call.
  public static let methods: [any RemoteMethod.Type] = [
    Create.self, DownloadTask.self, UploadTask.self, Tasks.self, CancelTask.self, FinishAndInvalidate.self,
    InvalidateAndCancel.self, EventsHandled.self,
  ]
  /// The host's call of a session's owner, at any extension point.
  public static let calls: [HostCall] = [.request(HandleEvents.self, isOptional: true)]
  /// Every extension point with the permission `network`; a keyboard needs open access too. The containing app may
  /// take sessions up without it, and needs it to begin transfers.
  public static let access = [
    Allowlist.Row(
      "session/eventsHandled", [.containingApp], nil,
      "Only the containing app is woken for events, and says that it has handled them."),
    Allowlist.Row(
      "session/*", [.containingApp], nil,
      "The containing app has sessions of its own, and takes up its extensions' when it is woken for them."),
    Allowlist.Row(
      "session/*", nil, nil, permissions: ["network"],
      "The host transfers files, from and to servers that Annex.Network names; the user has to agree."),
  ]

  /// The most bytes of a session's identifier.
  public static let longestIdentifier = 200
  /// The most tasks of one session that are not over.
  public static let mostTasks = 1000
  /// The most events of one call of ``HandleEvents``.
  public static let mostEvents = 500
}

extension Sessions {
  /// How a session's transfers are made (`URLSessionConfiguration`).
  public struct Configuration: Codable, Sendable, Equatable {
    /// Whether the host starts the containing app for events that no process takes; absent means `true`.
    public var sessionSendsLaunchEvents: Bool?
    /// Whether transfers wait for a quiet moment; `false` when absent.
    public var isDiscretionary: Bool?
    /// Seconds without a byte after which an attempt has failed and is made again; 60 when absent.
    @NonNegative<Double?> public var timeoutIntervalForRequest: Double?
    /// Seconds after which a transfer has failed for good, all attempts included; seven days when absent, and at most.
    @NonNegative<Double?> public var timeoutIntervalForResource: Double?
    /// Transfers from and to one server at one time; 4 when absent, 16 at most.
    @NonNegative<Int?> public var httpMaximumConnectionsPerHost: Int?
    /// Fields that every request of the session has, by name, unless the request says otherwise.
    public var httpAdditionalHeaders: [String: String]?

    /// A configuration; everything that is `nil` is as the properties say.
    public init(
      sessionSendsLaunchEvents: Bool? = nil, isDiscretionary: Bool? = nil, timeoutIntervalForRequest: Double? = nil,
      timeoutIntervalForResource: Double? = nil, httpMaximumConnectionsPerHost: Int? = nil,
      httpAdditionalHeaders: [String: String]? = nil
    ) {
      self.sessionSendsLaunchEvents = sessionSendsLaunchEvents
      self.isDiscretionary = isDiscretionary
      self.timeoutIntervalForRequest = timeoutIntervalForRequest
      self.timeoutIntervalForResource = timeoutIntervalForResource
      self.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
      self.httpAdditionalHeaders = httpAdditionalHeaders
    }
  }

  /// The request to a server.
  public struct Request: Codable, Sendable, Equatable {
    /// `http` or `https`, without a user name, of a server that the manifest names under `Annex.Network`.
    public var url: String
    /// `GET` for a download when absent, `PUT` for an upload.
    public var method: String?
    /// At most 64 fields and 32 KiB together; those of the connection itself are the host's.
    public var headers: [String: String]?

    /// Creates a request; the default method depends on the kind of task.
    public init(url: String, method: String? = nil, headers: [String: String]? = nil) {
      self.url = url
      self.method = method
      self.headers = headers
    }
  }

  /// The directions of a transfer.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// From a server into the shared container.
    case download
    /// From a file to a server.
    case upload
  }

  /// The states of a task.
  public enum State: String, Codable, Sendable, CaseIterable {
    /// The task waits for its turn, for a connection, or for another attempt.
    case waiting
    /// Bytes are on their way.
    case running
    /// The transfer completed, whatever the server's status.
    case completed
    /// The transfer failed, and no further attempt is made.
    case failed
    /// The task was cancelled.
    case cancelled

    /// Whether nothing happens to the task any more.
    public var isOver: Bool { self != .waiting && self != .running }
  }

  /// The present state of one transfer.
  public struct TaskStatus: Codable, Sendable, Equatable {
    /// Distinguishes the tasks of all sessions of one home directory.
    @NonNegative<Int64> public var taskID: Int64
    /// Whether the task downloads or uploads.
    public var kind: Kind
    /// The requested URL.
    public var url: String
    /// The state of the task.
    public var state: State
    /// Bytes that went over so far, of the last attempt and what it took up.
    @NonNegative<Int64> public var bytesDone: Int64
    /// The size of the whole body in bytes; absent while unknown.
    @NonNegative<Int64?> public var bytesExpected: Int64?
    /// Where a download goes to, in the shared container.
    public var destination: String?
    /// The reason the task failed; absent when it did not.
    public var error: Failure?

    /// A task; the parameters are as the properties say.
    public init(
      taskID: Int64, kind: Kind, url: String, state: State, bytesDone: Int64 = 0, bytesExpected: Int64? = nil,
      destination: String? = nil, error: Failure? = nil
    ) {
      self.taskID = taskID
      self.kind = kind
      self.url = url
      self.state = state
      self.bytesDone = bytesDone
      self.bytesExpected = bytesExpected
      self.destination = destination
      self.error = error
    }
  }
}
