import ExtensionHosting
import ExtensionProtocol
import GroupStore
import HostServices
import TestSupport
import Testing
import Transfers

@testable import SessionServices

@Suite(.timeLimit(.minutes(1)))
struct `The app that is started for the events of a session` {
  private struct Unknown: Error {}

  private let stage: SessionStage
  private var journal: TransferJournal { stage.service.journal }

  init() throws { stage = try SessionStage() }

  /// Begins a session with tasks.
  private func begin(_ key: SessionKey, wantsEvents: Bool = true, tasks count: Int) async throws -> [Int64] {
    var configuration = SessionConfiguration()
    configuration.sendsLaunchEvents = wantsEvents
    _ = try await journal.open(
      SessionRecord(
        key: key, owner: "o", epoch: 1, group: "g", container: stage.folder.path, configuration: configuration))
    var tasks: [Int64] = []
    for _ in 0..<count {
      let draft = TransferDraft(TransferRequest(url: "https://a.example/x"), .download(destination: "x"))
      tasks.append(try await journal.add(draft, to: key, epoch: 1))
    }
    return tasks
  }

  @Test(
    arguments: [(SessionStage.app, true, true), (SessionStage.app, false, false), (SessionRecord.tool, true, false)])
  func `is one that wants them, when every task has ended`(
    app: String, wantsEvents: Bool, isStarted: Bool
  ) async throws {
    let waker = SessionWaker(stage.service) { _ in throw Unknown() }
    let key = SessionKey(app: app, identifier: "s")
    let tasks = try await begin(key, wantsEvents: wantsEvents, tasks: 2)
    #expect(try await !waker.hasWork())
    try await journal.cancel(tasks[0], of: key, epoch: 1)
    #expect(try await !waker.hasWork(), "the other one goes on")
    try await journal.cancel(tasks[1], of: key, epoch: 1)
    for _ in 0..<2 { #expect(try await waker.hasWork() == isStarted) }
    try await journal.acknowledge(try await journal.events(of: key).map(\.id), of: key, epoch: 1)
    #expect(try await !waker.hasWork(), "there is nothing to say any more")
  }

  @Test func `leaves the session to others when it cannot be started, and is still to be`() async throws {
    let (asked, asking) = AsyncStream.makeStream(of: SessionKey.self)
    let waker = SessionWaker(stage.service) { session in
      asking.yield(session.key)
      throw Unknown()
    }
    let key = SessionKey(app: SessionStage.app, identifier: "s")
    let tasks = try await begin(key, tasks: 1)
    try await journal.cancel(tasks[0], of: key, epoch: 1)
    let run = Task { await waker.run() }
    #expect(await asked.first { _ in true } == key)
    // Long before its lease would end by itself.
    let end = ContinuousClock.now + .seconds(10)
    var lease: Lease?
    while lease == nil, ContinuousClock.now < end { lease = try await stage.service.leases.take(key, for: 9) }
    #expect(lease != nil)
    run.cancel()
    await run.value
    #expect(try await waker.hasWork())
  }
}
