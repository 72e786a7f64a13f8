import ExtensionProtocol
import Files
import Foundation
import HostServices
import SessionServices
import Synchronization
import TestSupport
import Testing
import Transfers

/// What a user sees and does of all sessions.
@Suite(.timeLimit(.minutes(1)))
struct `The sessions of a user` {
  private let stage: SessionStage
  private var service: SessionService { stage.service }

  init() throws { stage = try SessionStage() }

  @discardableResult
  private func open(_ app: String, _ identifier: String) async throws -> SessionRecord {
    try await service.journal.open(
      SessionRecord(
        key: SessionKey(app: app, identifier: identifier), owner: "o", epoch: 1, group: "g",
        container: stage.folder.path))
  }

  private func draft(_ destination: String = "x") -> TransferDraft {
    TransferDraft(TransferRequest(url: "https://a.example/x"), .download(destination: destination))
  }

  private func code(_ body: () async throws -> Void) async -> ExtensionError? {
    do {
      try await body()
      return nil
    } catch { return ExtensionError(wrapping: error) }
  }

  @Test func `are none before the journal is used, which looking does not begin`() async throws {
    #expect(try await service.sessions().isEmpty)
    #expect(try await service.unacknowledgedEvents().isEmpty)
    try await service.resume()
    #expect(await code { _ = try await service.session(named: "s") }?.code == .invalidParams)
    #expect(!FileManager.default.fileExists(atPath: stage.folder.file("state/transfers")))
  }

  @Test func `have names, alone or with their app`() async throws {
    for (app, name) in [("a", "s"), ("a", "t"), ("b", "s")] { try await open(app, name) }
    #expect(try await service.session(named: "t").key == SessionKey(app: "a", identifier: "t"))
    let several = await code { _ = try await service.session(named: "s") }
    #expect(several?.code == .invalidParams && several?.recovery == "Name one of a/s, b/s.")
    #expect(try await service.session(named: "b/s").key == SessionKey(app: "b", identifier: "s"))
    for name in ["", "u", "a/u", "s/a", "A/s"] {
      let none = await code { _ = try await service.session(named: name) }
      #expect(none?.code == .invalidParams && none?.message == "There is no session “\(name)”.")
    }
  }

  @Test func `have names that are told apart by their bytes`() async throws {
    let names = ["caf\u{E9}", "cafe\u{301}"]
    for name in names { try await open("a", name) }
    for name in names {
      for asked in [name, "a/\(name)"] {
        let found = try await service.session(named: asked).key.identifier
        #expect(Array(found.utf8) == Array(name.utf8), "\(asked)")
      }
    }
  }

  @Test func `say why tasks failed until that is acknowledged`() async throws {
    let session = try await open("a", "s")
    let (one, two) = (
      try await service.journal.add(draft("x"), to: session.key, epoch: 1),
      try await service.journal.add(draft("y"), to: session.key, epoch: 1)
    )
    #expect(try await service.failures(of: session.key).isEmpty)
    let records = try await service.records(of: session.key)
    #expect(records.map(\.id) == [one, two])
    try await service.cancel(records[0])
    #expect(try await service.failures(of: session.key).mapValues(\.code) == [one: -999])
    #expect(try await service.unacknowledgedEvents() == [session.key: 1])
    let events = try await service.journal.events(of: session.key)
    try await service.journal.acknowledge(events.map(\.id), of: session.key, epoch: 1)
    #expect(try await service.failures(of: session.key).isEmpty)
    #expect(try await service.unacknowledgedEvents().isEmpty)
    #expect(try await service.records(of: session.key).map(\.id) == [two])
    // What is gone is cancelled in vain.
    try await service.remove(session)
    try await service.cancel(records[1])
    #expect(try await service.sessions().isEmpty)
  }

  private final class Starts: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  @Test func `start a daemon for what is unfinished or not acknowledged, and for nothing else`() async throws {
    let starts = Starts()
    let other = try stage.service(startingDaemon: { starts.add() })
    try await other.resume()
    let session = try await open("a", "s")
    try await other.resume()
    #expect(starts.count == 0)
    let task = try await service.journal.add(draft(), to: session.key, epoch: 1)
    try await other.resume()
    #expect(starts.count == 1)
    try await service.journal.cancel(task, of: session.key, epoch: 1)
    try await other.resume()
    #expect(starts.count == 2)
    let events = try await service.journal.events(of: session.key)
    try await service.journal.acknowledge(events.map(\.id), of: session.key, epoch: 1)
    try await other.resume()
    #expect(starts.count == 2)
  }

  @Test func `start no daemon while somebody makes the transfers, and wait for one that fails`() async throws {
    let starts = Starts()
    let other = try stage.service(startingDaemon: { starts.add() })
    _ = try await service.beginOwn(draft(), container: stage.folder.path)
    guard let lock = try FileLock.attempt(stage.folder.file("state/transfers/runner.lock")) else {
      Issue.record("Somebody makes the transfers.")
      return
    }
    try await other.resume()
    #expect(starts.count == 0)
    lock.unlock()
    try await other.resume()
    #expect(starts.count == 1)
    let broken = try stage.service(startingDaemon: { throw ExtensionError(.launchFailed, "No.") })
    try await broken.resume()
  }

  // MARK: The user's own transfers

  @Test func `begin with a session for each, that is forgotten with its end`() async throws {
    let task = try await service.beginOwn(draft("x"), container: stage.folder.path)
    #expect(task.state == .waiting && task.destination == "x" && task.session.app == SessionRecord.tool)
    let session = try #require(try await service.sessions().first)
    #expect(session.key == task.session && session.state == .finishing && session.epoch == 1)
    // It has nothing to forget yet.
    try await service.endOwn(task.session)
    #expect(try await service.sessions().count == 1)
    try await service.cancel(task)
    try await service.endOwn(task.session)
    #expect(try await service.sessions().isEmpty)
  }

  @Test func `leave no session behind when they cannot begin`() async throws {
    let url = "https://a.example/" + String(repeating: "x", count: 64 << 10)
    let long = TransferDraft(TransferRequest(url: url), .download(destination: "x"))
    for _ in 0..<2 {
      let error = await code { _ = try await service.beginOwn(long, container: stage.folder.path) }
      #expect(error?.code == .limitExceeded)
      #expect(try await service.sessions().isEmpty)
    }
  }

  @Test func `forget those that are over when there are 32, and nothing of an app`() async throws {
    let app = try await open("a", "s")
    let ended = try await service.journal.add(draft(), to: app.key, epoch: 1)
    try await service.journal.cancel(ended, of: app.key, epoch: 1)
    var tasks: [TransferRecord] = []
    for _ in 0..<31 { tasks.append(try await service.beginOwn(draft(), container: stage.folder.path)) }
    for task in tasks.prefix(2) { try await service.cancel(task) }
    tasks.append(try await service.beginOwn(draft(), container: stage.folder.path))
    #expect(try await service.sessions().count == 33, "31 are no reason to forget")
    tasks.append(try await service.beginOwn(draft(), container: stage.folder.path))
    let kept = Set(try await service.sessions().map(\.key))
    #expect(kept == Set(tasks.dropFirst(2).map(\.session) + [app.key]) && kept.count == 32)
    #expect(try await service.unacknowledgedEvents() == [app.key: 1])
  }

  @Test func `are waited for until they are over, with each change`() async throws {
    let task = try await service.beginOwn(draft(), container: stage.folder.path)
    let heard = Mutex<[TransferRecord.State]>([])
    async let outcome = service.outcome(of: task) { record in heard.withLock { $0.append(record.state) } }
    try await service.cancel(task)
    let report = try await outcome
    #expect(report.record.state == .cancelled && report.end?.kind == .didComplete && report.end?.task == task.id)
    #expect(heard.withLock { $0.last } == .cancelled)
    // Once more it is what it was; when its events are acknowledged, it is as it was last seen.
    #expect(try await service.outcome(of: task) { _ in }.record.state == .cancelled)
    try await service.endOwn(task.session)
    let late = try await service.outcome(of: task) { _ in Issue.record("it is gone") }
    #expect(late.record == task && late.end == nil)
  }
}
