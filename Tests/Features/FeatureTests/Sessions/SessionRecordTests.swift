import ExtensionProtocol
import HTTPClient
import HostServices
import Testing

@testable import SessionServices
@testable import Transfers

/// What extensions hear of the records of the journal.
@Suite(.timeLimit(.minutes(1)))
struct `The records of a session on the wire` {
  private let key = SessionKey(app: "com.example.app", identifier: "s")

  private static let states: [(state: TransferRecord.State, shown: Sessions.State)] = [
    (.waiting, .waiting), (.backingOff, .waiting), (.running, .running), (.completed, .completed), (.failed, .failed),
    (.cancelled, .cancelled),
  ]

  @Test(arguments: states) func `have a state each`(state: TransferRecord.State, shown: Sessions.State) {
    var record = TransferRecord(
      id: 7, session: key, kind: .download, request: TransferRequest(url: "https://a.example/x"), destination: "d/x",
      deadline: Countdown(.seconds(1), from: TransferInstant(boot: "b", sinceBoot: 0, wall: 0)))
    record.state = state
    (record.bytesDone, record.bytesExpected) = (3, 9)
    let status = Sessions.TaskStatus(record)
    #expect(status.state == shown && status.taskID == 7 && status.kind == .download && status.destination == "d/x")
    #expect(status.bytesDone == 3 && status.bytesExpected == 9 && status.url == "https://a.example/x")
    #expect(status.error == nil)
    (record.bytesDone, record.bytesExpected) = (-1, -1)
    #expect(Sessions.TaskStatus(record).bytesDone == 0 && Sessions.TaskStatus(record).bytesExpected == 0)
    record.bytesExpected = nil
    #expect(Sessions.TaskStatus(record).bytesExpected == nil)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The errors of the journal on the wire` {
  private static let key = SessionKey(app: "com.example.app", identifier: "s")
  private static let errors: [(error: TransferError, code: ExtensionError.Code, session: SessionErrorCode?)] = [
    (.noSession(key), .framework, .wasDisconnected), (.disconnected(key), .framework, .wasDisconnected),
    (.stale(key, epoch: 1, current: 2), .framework, .wasDisconnected), (.noTask(3), .invalidParams, nil),
    (.quota("Full.", limit: 5), .limitExceeded, nil), (.runsElsewhere("/x"), .serviceUnavailable, nil),
    (.source("No.", recovery: "R."), .storeFailed, nil),
    (.unavailable("No.", recovery: "R.", isRetryable: true), .storeFailed, nil),
    (.corrupt("No.", setAside: "/y"), .storeFailed, nil),
  ]

  @Test(arguments: errors)
  func `have a code and what they say`(error: TransferError, code: ExtensionError.Code, session: SessionErrorCode?) {
    let found = ExtensionError(error)
    #expect(found.code == code && found.sessionCode == session && found.message == error.description)
    #expect(session != nil || found.recovery == error.recovery)
  }

  @Test func `have the details that a caller decides by`() {
    #expect(ExtensionError(.quota("Full.", limit: 5)).details == ["limit": 5])
    for isRetryable in [true, false] {
      let error = ExtensionError(TransferError.unavailable("No.", recovery: "R.", isRetryable: isRetryable))
      #expect(error.details == ["retryable": .bool(isRetryable)])
    }
    #expect(ExtensionError(TransferError.corrupt("No.", setAside: "/y")).details == ["setAside": "/y"])
    #expect(ExtensionError(TransferError.corrupt("No.", setAside: nil)).details == [:])
    #expect(ExtensionError(TransferError.noTask(3)).details == [:])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The events of a session on the wire` {
  private static let key = SessionKey(app: "com.example.app", identifier: "s")
  private static let kinds: [(kind: TransferEvent.Kind, type: Sessions.EventType)] = [
    (.didFinishDownloading, .didFinishDownloading), (.didSendBody, .didSendBody), (.didComplete, .didComplete),
    (.waitingForConnectivity, .waitingForConnectivity),
  ]

  @Test(arguments: kinds) func `are of the kind that they are`(kind: TransferEvent.Kind, type: Sessions.EventType) {
    let bare = Sessions.Event(TransferEvent(id: 4, session: Self.key, task: 5, kind: kind))
    #expect(bare == Sessions.Event(eventID: 4, taskID: 5, type: type))
    let failure = TransferFailure(.timedOut, "Late.", recovery: "Wait.")
    let full = Sessions.Event(
      TransferEvent(
        id: 4, session: Self.key, task: 5, kind: kind, path: "p",
        response: TransferResponse(status: 201, headers: HTTPFields(), url: "https://a.example"), error: failure))
    #expect(full.path == "p" && full.response == Sessions.Response(status: 201, url: "https://a.example"))
    #expect(
      full.error
        == Sessions.Failure(domain: "NSURLErrorDomain", code: -1001, localizedDescription: "Late.", recovery: "Wait."))
  }

  @Test func `have the fields of one name together`() {
    var fields = HTTPFields()
    for (name, value) in [("X-A", "1"), ("Y", "2"), ("x-a", "3"), ("X-a", "4")] { fields.append(name, value) }
    let response = Sessions.Response(TransferResponse(status: 200, headers: fields, url: "u"))
    #expect(response.headers == ["x-a": "1, 3, 4", "y": "2"])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The configuration of a session` {
  private func made(_ asked: Sessions.Configuration) throws -> SessionConfiguration { try SessionConfiguration(asked) }

  @Test func `is the usual one where nothing is asked for`() throws {
    #expect(try made(Sessions.Configuration()) == SessionConfiguration())
    let other = try made(Sessions.Configuration(sessionSendsLaunchEvents: false, isDiscretionary: true))
    #expect(!other.sendsLaunchEvents && other.isDiscretionary)
    let same = try made(Sessions.Configuration(sessionSendsLaunchEvents: true, isDiscretionary: false))
    #expect(same == SessionConfiguration())
  }

  @Test func `is within its limits`() throws {
    for (asked, request, resource) in [
      (0, 1, 1), (0.5, 1, 1), (1, 1, 1), (2.5, 2.5, 2.5), (86_400, 86_400, 86_400), (86_401, 86_400, 86_401),
      (604_800, 86_400, 604_800), (604_801, 86_400, 604_800),
    ] as [(Double, Double, Double)] {
      let made = try made(
        Sessions.Configuration(timeoutIntervalForRequest: asked, timeoutIntervalForResource: asked))
      #expect(made.timeoutForRequest == .seconds(request) && made.timeoutForResource == .seconds(resource), "\(asked)")
    }
    for (asked, count) in [(0, 1), (1, 1), (5, 5), (16, 16), (17, 16)] {
      #expect(try made(Sessions.Configuration(httpMaximumConnectionsPerHost: asked)).maximumConnectionsPerHost == count)
    }
  }

  @Test func `has fields that are not the host's own`() throws {
    let made = try made(Sessions.Configuration(httpAdditionalHeaders: ["X-A": "1"]))
    #expect(made.additionalHeaders["X-A"] == "1")
    #expect(throws: ExtensionError(.invalidParams, "")) {
      try self.made(Sessions.Configuration(httpAdditionalHeaders: ["Proxy-X": "1"]))
    }
  }
}
