import ContentClient
import JSON
import Synchronization
import Time

@testable import HTTPClient

/// A server and a clock of one test: answers in turn, remembers what was asked, never sleeps.
final class FakeAEM: Sendable {
  typealias Answer = Result<HTTPResponse, HTTPError>

  private struct State {
    var answers: [Answer] = []
    var requests: [HTTPRequest] = []
    var now = 1_800_000_000
    var slept: [Double] = []
    var reports: [String] = []
  }

  private let state = Mutex(State())

  init(_ answers: Answer...) { state.withLock { $0.answers = answers } }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  var slept: [Double] { state.withLock { $0.slept } }
  var reports: [String] { state.withLock { $0.reports } }

  /// Answers that come after those that are left.
  func answer(_ answers: Answer...) { state.withLock { $0.answers += answers } }

  /// Moves the clock.
  func advance(by seconds: Int) { state.withLock { $0.now += seconds } }

  func client(
    _ configuration: ContentConfiguration = ContentConfiguration(), cache: String? = nil,
    images: String? = nil, limits: ContentClient.Limits = ContentClient.Limits()
  ) -> ContentClient {
    client(
      configuration, cacheBy: cache.map { path in { @Sendable in path } },
      imagesBy: images.map { path in { @Sendable in path } }, limits: limits)
  }

  func client(
    _ configuration: ContentConfiguration = ContentConfiguration(), cacheBy path: (@Sendable () throws -> String)?,
    imagesBy images: (@Sendable () throws -> String)? = nil, limits: ContentClient.Limits = ContentClient.Limits()
  ) -> ContentClient {
    let transport: ContentTransport = { request throws(HTTPError) in try self.take(request).get() }
    let clock = WallClock(
      now: { UnixTime(seconds: Int64(self.state.withLock { $0.now })) },
      sleep: { duration in
        self.state.withLock { $0.slept.append(duration / .seconds(1)) }
        try Task.checkCancellation()
      },
      random: { 1 })
    return ContentClient(
      configuration: configuration, cachePath: path, imageCachePath: images, transport: transport, clock: clock,
      limits: limits, report: { sentence in self.state.withLock { $0.reports.append(sentence) } })
  }

  private func take(_ request: HTTPRequest) -> Answer {
    state.withLock { state in
      state.requests.append(request)
      return state.answers.isEmpty ? .down(.unreachable) : state.answers.removeFirst()
    }
  }
}

extension FakeAEM.Answer {
  /// 200 with JSON.
  static func json(_ body: String, _ headers: HTTPFields = [:]) -> Self {
    var headers = headers
    headers["Content-Type"] = "application/json;charset=utf-8"
    return .status(200, body, headers)
  }

  static func status(_ status: Int, _ body: String = "", _ headers: HTTPFields = [:]) -> Self {
    .success(HTTPResponse(status: status, headers: headers, body: Array(body.utf8), url: "http://fake"))
  }

  /// No answer.
  static func down(_ kind: HTTPError.Kind) -> Self {
    .failure(HTTPError(kind, "There is no answer.", url: "http://fake"))
  }
}

let adventures = "wknd-shared/adventures-all"
let twoAdventures = #"{"data":{"adventureList":{"items":[{"title":"Bali","price":5000},{"title":"Alps"}]}}}"#
