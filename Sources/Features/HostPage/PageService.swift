import EventLoop
public import ExtensionHosting
import ExtensionProtocol
import HTTPServer
public import HostServices
import Synchronization

/// A page for the browser of this machine's user: the Today widgets of a host, the questions of its extensions, what was
/// decided, how the extensions do, and the values of app groups.
///
/// ```swift
/// let questions = PageQuestions()
/// let authority = PermissionAuthority(state: state, consent: .ask(questions.ask))
/// let host = try StandardServices(state: state, registry: registry, permissions: authority).makeHost()
/// let page = PageService(host: host, questions: questions)
/// try await page.run { address in print("Open \(address)") }
/// ```
///
/// The server listens on the loopback interface, or at a Unix socket behind a proxy of yours. Every browser needs an address
/// with a token of its own, which opens the page once: from ``run(ready:)`` or ``newAddress()``.
public final class PageService: Sendable {
  /// How the page is served.
  public struct Configuration: Sendable {
    /// The port; 0 takes any free one.
    public var port = 0
    /// The path of a Unix socket, in place of a port: for a proxy of yours in front of the page. Its mode is 0600. A socket
    /// of this user that nobody listens at is replaced, any other file is an error, and the socket is removed at the end.
    public var socket: String?
    /// Where browsers find that proxy: `https://page.example.com`, at the root and without a slash at the end. The page takes
    /// requests that carry this name or origin for its own; without it those of `localhost` alone.
    public var origin: String?
    /// The name at the top of each page.
    public var title = "Annex"
    /// The time between two updates of a widget while somebody looks.
    public var interval = Duration.seconds(60)
    /// The file with the user's decisions about the registry, as ``ExtensionHost/monitor(_:record:)`` takes it; `nil` when
    /// there is none.
    public var registryRecord: String?

    /// Creates a configuration with any free port.
    public init() {}
  }

  private let host: ExtensionHost
  private let configuration: Configuration
  private let questions: PageQuestions
  private let feed = PageFeed()
  private let keys: PageKeys
  private let desk: TodayDesk
  private let moreParts: [any PagePart]
  private let open = Mutex<ServerAddress?>(nil)
  private let hasRun = Atomic<Bool>(false)

  /// Creates a page, which is not served before it is run.
  ///
  /// - Parameters:
  ///   - host: the host whose extensions are shown; it needs the services of `HostServices`.
  ///   - questions: the questions of its extensions: pass ``PageQuestions/ask(_:)`` to the host's `PermissionAuthority`.
  ///   - configuration: how the page is served.
  public convenience init(
    host: ExtensionHost, questions: PageQuestions = PageQuestions(), configuration: Configuration = Configuration()
  ) {
    self.init(host: host, questions: questions, configuration: configuration, parts: [])
  }

  /// - Parameter parts: pages besides those that every host has.
  package init(
    host: ExtensionHost, questions: PageQuestions, configuration: Configuration, parts: [any PagePart]
  ) {
    self.host = host
    self.questions = questions
    self.configuration = configuration
    keys = PageKeys(isSecure: configuration.origin?.lowercased().hasPrefix("https://") ?? false)
    moreParts = parts
    desk = TodayDesk(host: host, feed: feed, interval: configuration.interval)
  }

  /// Serves the page until the task is cancelled, once. All sessions end with it.
  ///
  /// - Parameter ready: called once when the port or the socket is open, with an address that opens the page once.
  /// - Throws: `serviceUnavailable` when the port or the socket cannot be opened, and the second time; `invalidParams` for an
  ///   origin that is none.
  public func run(ready: @Sendable (_ address: String) -> Void) async throws {
    guard !hasRun.exchange(true, ordering: .relaxed) else {
      throw ExtensionError(
        .serviceUnavailable, "A PageService serves its page once.", recovery: "Make another one for the next time.")
    }
    let (questions, feed, parts) = (questions, feed, parts)
    questions.whenChanged { feed.touch("questions") }
    defer { questions.end() }
    do {
      try await server(parts).withRunning { address in
        open.withLock { $0 = address }
        defer { open.withLock { $0 = nil } }
        try await withThrowingDiscardingTaskGroup { group in
          for work in works(parts) { group.addTask { await work() } }
          if let address = newAddress() { ready(address) }
          await untilCancelled()
          group.cancelAll()
        }
      }
    } catch let error as HTTPServerError {
      throw ExtensionError(.serviceUnavailable, error.message, recovery: error.recovery)
    }
  }

  /// Returns an address that opens the page once, in another browser for example; `nil` while the page is not served.
  public func newAddress() -> String? {
    open.withLock { $0 }.map { "\(configuration.origin ?? $0.url)/#\(keys.newToken())" }
  }

  /// The port; `nil` while the page is not served, and at a socket.
  package var port: Int? { open.withLock { $0 }.flatMap { $0.socketPath == nil ? $0.port : nil } }

  private var parts: [any PagePart] {
    let store = host.service(DefaultsService.self).store
    let inspector: [any PagePart] = host.configuration.recorder.map { [InspectorPage(host: host, recorder: $0)] } ?? []
    return [
      TodayPage(host: host, desk: desk), SharePage(host: host), ExtensionsPage(host: host),
      DecisionsPage(host: host, questions: questions),
      GroupsPage(host: host, store: store, desk: desk),
    ] + moreParts + inspector
  }

  private func works(_ parts: [any PagePart]) -> [@Sendable () async -> Void] {
    let (host, desk, feed, questions) = (host, desk, feed, questions)
    let record = configuration.registryRecord
    return [
      { await desk.run() },
      {
        for await _ in host.monitor(.today, record: record) {
          feed.touch("extensions")
          await desk.lookAgain()
        }
      },
      {
        let folder = FolderFeed(host: host, feed: feed)
        await folder.run()
      },
      { await QuestionDesk(host.configuration.state).serve(on: host.loop, questions.ask) },
    ] + parts.map { part in { @Sendable () async -> Void in await part.run(feed) } }
  }

  private func server(_ parts: [any PagePart]) throws(ExtensionError) -> HTTPServer {
    let router = PageRouter(title: configuration.title, keys: keys, feed: feed, questions: questions, parts: parts)
    var serving = HTTPServer.Configuration(port: configuration.port)
    serving.socketPath = configuration.socket
    if let origin = configuration.origin, !serving.serve(behind: origin) {
      throw ExtensionError(
        .invalidParams, "“\(origin)” is not the origin of a proxy.", recovery: "Write it as https://page.example.com.")
    }
    serving.door.admitsFetches = false
    serving.maximumBodyBytes = PageRequest.longestForm
    let share = "/\(keys.path)/share"
    serving.maximumBodyBytesOfPath = { $0 == share ? SharePage.longestForm : nil }
    serving.mostConnections = 128
    serving.mostLasting = 64
    serving.grace = .seconds(1)
    return HTTPServer(configuration: serving) { request in await router.answer(request) }
  }
}

extension StandardServices {
  /// Has the host keep its last messages, without secrets, for the inspector of its page: 32 MiB at most.
  public mutating func keepMessagesForPage() {
    configuration.recorder = FrameRecorder(limit: 32 << 20, keepsNewest: true)
  }
}
