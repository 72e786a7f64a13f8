public import ExtensionProtocol

extension Sessions {
  /// The kinds of event.
  public enum EventType: String, Codable, Sendable, CaseIterable {
    /// A download is at its destination, whole.
    case didFinishDownloading
    /// The last byte of an upload was sent; the answer is still to come.
    case didSendBody
    /// A task has ended; without an error it has completed.
    case didComplete
    /// A task waits for a connection and will continue by itself.
    case waitingForConnectivity
  }

  /// The server's answer.
  public struct Response: Codable, Sendable, Equatable {
    /// Every status is an answer, 404 and 500 too.
    @NonNegative<Int> public var status: Int
    /// Some fields, by name in lower case: those that say what the body is, and where it stands.
    public var headers: [String: String]
    /// The URL that answered: another than was asked for after a redirect.
    public var url: String

    /// A response; the names of the fields are in lower case.
    public init(status: Int, headers: [String: String] = [:], url: String) {
      self.status = status
      self.headers = headers
      self.url = url
    }
  }

  /// The reason a task failed.
  public struct Failure: Codable, Sendable, Equatable {
    /// `NSURLErrorDomain` for what happened on the way, `NSCocoaErrorDomain` for what happened to files.
    public var domain: String
    /// The number, by Apple's tables.
    @Exact<Int> public var code: Int
    /// What failed, in one sentence.
    public var localizedDescription: String
    /// What the reader can do.
    public var recovery: String?

    /// A failure; the parameters are as the properties say.
    public init(domain: String, code: Int, localizedDescription: String, recovery: String? = nil) {
      self.domain = domain
      self.code = code
      self.localizedDescription = localizedDescription
      self.recovery = recovery
    }
  }

  /// An event of a task. It is kept until it is acknowledged, and delivered again to each new owner of the session
  /// until then. An owner that has already seen the `eventID` has already handled the event.
  public struct Event: Codable, Sendable, Equatable {
    /// Grows from event to event of one home directory.
    @NonNegative<Int64> public var eventID: Int64
    /// The task.
    @NonNegative<Int64> public var taskID: Int64
    /// The kind of event.
    public var type: EventType
    /// For a finished download: the path in the shared container.
    public var path: String?
    /// The server's answer; absent without one.
    public var response: Response?
    /// For a task that has ended: the reason it failed; absent when it did not.
    public var error: Failure?

    /// An event; the parameters are as the properties say.
    public init(
      eventID: Int64, taskID: Int64, type: EventType, path: String? = nil, response: Response? = nil,
      error: Failure? = nil
    ) {
      self.eventID = eventID
      self.taskID = taskID
      self.type = type
      self.path = path
      self.response = response
      self.error = error
    }
  }

  /// `session/handleEvents`, host to the owner of a session: what happened to its transfers, in order. A containing app
  /// that was started for it answers within 30 s, and calls `session/eventsHandled` before that.
  public struct HandleEvents: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "session/handleEvents"
    /// The time that a containing app runs for events.
    public static let deadline = RequestDeadline(hard: .seconds(30))

    /// The events that the owner has handled.
    public struct Result: Codable, Sendable, Equatable {
      /// The `eventID`s that need not come again; others do, after a while.
      @NonNegative<[Int64]> public var acked: [Int64]

      /// Acknowledges some of the events.
      public init(acked: [Int64]) { self.acked = acked }
    }

    /// The session's identifier, as its creator chose it.
    public var sessionID: String
    /// The epoch in which the owner has it.
    @NonNegative<Int64> public var epoch: Int64
    /// At most ``Sessions/mostEvents``, in the order in which they happened.
    public var events: [Event]

    /// Hands events to the owner.
    public init(sessionID: String, epoch: Int64, events: [Event]) {
      self.sessionID = sessionID
      self.epoch = epoch
      self.events = events
    }
  }
}
