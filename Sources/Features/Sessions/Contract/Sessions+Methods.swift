public import ExtensionProtocol

extension Sessions {
  /// `session/create`: makes a session, or takes up one that was made before.
  ///
  /// Errors of `NSURLErrorDomain`, by ``SessionErrorCode``: `requiresSharedContainer` without one, `inUseByAnotherProcess`
  /// while another process has the session, or when it was made by another bundle of the same app.
  public struct Create: RemoteMethod {
    /// The wire name; extensions and containing apps call it.
    public static let method = "session/create"

    /// The state of the session.
    public struct Result: Codable, Sendable, Equatable {
      /// The epoch that every further call must name. It grows when another process takes over the session.
      @NonNegative<Int64> public var epoch: Int64
      /// The tasks that have not ended, and those whose events are not acknowledged.
      public var tasks: [TaskStatus]

      /// Answers with the session's tasks.
      public init(epoch: Int64, tasks: [TaskStatus]) {
        self.epoch = epoch
        self.tasks = tasks
      }
    }

    /// Any text of at most ``Sessions/longestIdentifier`` bytes that no other bundle of the containing app uses.
    public var sessionID: String
    /// An app group of both manifests, in whose container downloads arrive. The first creation decides.
    public var sharedContainerIdentifier: String?
    /// The configuration for tasks that are added from now on.
    public var configuration: Configuration?

    /// Creates the params.
    public init(sessionID: String, sharedContainerIdentifier: String?, configuration: Configuration? = nil) {
      self.sessionID = sessionID
      self.sharedContainerIdentifier = sharedContainerIdentifier
      self.configuration = configuration
    }
  }

  /// The answer to the addition of a task.
  public struct AddedTask: Codable, Sendable, Equatable {
    /// The task's identifier.
    @NonNegative<Int64> public var taskID: Int64

    /// Answers with the new task.
    public init(taskID: Int64) { self.taskID = taskID }
  }

  /// `session/downloadTask`: downloads a file from a server into the shared container. The task is stored before the
  /// answer.
  public struct DownloadTask: RemoteMethod {
    /// The wire name; extensions and containing apps call it.
    public static let method = "session/downloadTask"
    /// The task.
    public typealias Result = AddedTask

    /// The session.
    public var sessionID: String
    /// The epoch from the answer of `session/create`.
    @NonNegative<Int64> public var epoch: Int64
    /// The request to the server.
    public var request: Request
    /// The path in the shared container; folders on the way are made. A file that is there is replaced at the end, by the
    /// whole new one.
    public var destination: String
    /// The SHA-256 of the file in hexadecimal digits; another one fails the task.
    public var sha256: String?

    /// Creates the params.
    public init(sessionID: String, epoch: Int64, request: Request, destination: String, sha256: String? = nil) {
      self.sessionID = sessionID
      self.epoch = epoch
      self.request = request
      self.destination = destination
      self.sha256 = sha256
    }
  }

  /// `session/uploadTask`: a file to a server. The file is kept as it is now before this answers: later changes of it
  /// change nothing.
  public struct UploadTask: RemoteMethod {
    /// The wire name; extensions and containing apps call it.
    public static let method = "session/uploadTask"
    /// The host copies the file before it answers.
    public static let serviceDeadline: Duration? = .seconds(120)
    /// The task.
    public typealias Result = AddedTask

    /// The session.
    public var sessionID: String
    /// The epoch from the answer of `session/create`.
    @NonNegative<Int64> public var epoch: Int64
    /// The request to the server.
    public var request: Request
    /// The file's absolute path in the shared container or in the scratch directory, or its path relative to the scratch
    /// directory.
    public var file: String
    /// The SHA-256 of the file in hexadecimal digits; another one is refused.
    public var sha256: String?

    /// Creates the params.
    public init(sessionID: String, epoch: Int64, request: Request, file: String, sha256: String? = nil) {
      self.sessionID = sessionID
      self.epoch = epoch
      self.request = request
      self.file = file
      self.sha256 = sha256
    }
  }

  /// `session/tasks`: returns the session's tasks and their progress.
  public struct Tasks: RemoteMethod {
    /// The wire name; extensions and containing apps call it.
    public static let method = "session/tasks"

    /// The tasks.
    public struct Result: Codable, Sendable, Equatable {
      /// The tasks that have not ended, and those whose events are not acknowledged, in the order of their addition.
      public var tasks: [TaskStatus]

      /// Answers with tasks.
      public init(tasks: [TaskStatus]) { self.tasks = tasks }
    }

    /// The session.
    public var sessionID: String
    /// The epoch from the answer of `session/create`.
    @NonNegative<Int64> public var epoch: Int64
    /// The task to return; all when absent.
    @NonNegative<Int64?> public var taskID: Int64?

    /// Creates the params.
    public init(sessionID: String, epoch: Int64, taskID: Int64? = nil) {
      self.sessionID = sessionID
      self.epoch = epoch
      self.taskID = taskID
    }
  }

  /// `session/cancelTask`: cancels a task, which ends with `cancelled`. A task that has ended stays as it is.
  public struct CancelTask: RemoteMethod {
    /// The wire name; extensions and containing apps call it.
    public static let method = "session/cancelTask"
    /// Nothing.
    public typealias Result = Empty

    /// The session.
    public var sessionID: String
    /// The epoch from the answer of `session/create`.
    @NonNegative<Int64> public var epoch: Int64
    /// The task.
    @NonNegative<Int64> public var taskID: Int64

    /// Creates the params.
    public init(sessionID: String, epoch: Int64, taskID: Int64) {
      self.sessionID = sessionID
      self.epoch = epoch
      self.taskID = taskID
    }
  }

  /// `session/finishAndInvalidate`: the session accepts no more tasks, and is removed with the last event of its tasks.
  public struct FinishAndInvalidate: RemoteMethod {
    /// The wire name; extensions and containing apps call it.
    public static let method = "session/finishAndInvalidate"
    /// Nothing.
    public typealias Result = Empty

    /// The session.
    public var sessionID: String
    /// The epoch from the answer of `session/create`.
    @NonNegative<Int64> public var epoch: Int64

    /// Creates the params.
    public init(sessionID: String, epoch: Int64) {
      self.sessionID = sessionID
      self.epoch = epoch
    }
  }

  /// `session/invalidateAndCancel`: the same, and its tasks are cancelled.
  public struct InvalidateAndCancel: RemoteMethod {
    /// The wire name; extensions and containing apps call it.
    public static let method = "session/invalidateAndCancel"
    /// Nothing.
    public typealias Result = Empty

    /// The session.
    public var sessionID: String
    /// The epoch from the answer of `session/create`.
    @NonNegative<Int64> public var epoch: Int64

    /// Creates the params.
    public init(sessionID: String, epoch: Int64) {
      self.sessionID = sessionID
      self.epoch = epoch
    }
  }

  /// `session/eventsHandled`: a containing app that was started for events is done with them: the completion handler of
  /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`. An app that does not call it is started
  /// again after a while, three times at most.
  public struct EventsHandled: RemoteMethod {
    /// The wire name; containing apps call it.
    public static let method = "session/eventsHandled"
    /// Nothing.
    public typealias Result = Empty

    /// The session.
    public var sessionID: String
    /// The epoch that came with the events.
    @NonNegative<Int64> public var epoch: Int64

    /// Creates the params.
    public init(sessionID: String, epoch: Int64) {
      self.sessionID = sessionID
      self.epoch = epoch
    }
  }
}
