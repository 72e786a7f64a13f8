import EventLoop
import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import Transfers

@Suite(.timeLimit(.minutes(1)))
struct `A journal of transfers` {
  let place: Journals

  init() throws { place = try Journals() }

  @Test func `keeps sessions and tasks over its end`() async throws {
    var configuration = SessionConfiguration()
    configuration.isDiscretionary = true
    configuration.timeoutForRequest = .milliseconds(1500)
    configuration.additionalHeaders = ["A": "1", "A": "2"]
    let id: Int64
    do {
      let journal = place.journal()
      let made = try await journal.open(place.session(configuration: configuration))
      #expect(made.createdAt == 1_800_000_000)
      id = try await journal.add(place.download(), to: place.key, epoch: 1)
    }
    let again = place.journal()
    let session = try #require(try await again.session(place.key))
    #expect(session.configuration == configuration)
    #expect(session.owner == "com.example.app.share" && session.manifests == ["/m"] && session.state == .open)
    let task = try #require(try await again.task(id))
    #expect(task.request == place.download().request)
    #expect(task.destination == "a" && task.state == .waiting && task.kind == .download)
    #expect(task.deadline == Countdown(.seconds(7 * 86_400), from: place.clock.now))
    #expect(try await again.tasks(place.key) == [task])
    #expect(try await again.sessions() == [session])
  }

  @Test func `compares the tokens of leases within one store, and its epochs only grow`() async throws {
    let journal = place.journal()
    func open(_ token: Int64, _ store: String) async throws -> Int64 {
      var session = place.session(epoch: token)
      session.store = store
      return try await journal.open(session).epoch
    }
    #expect(try await open(10, "a") == 10)
    // Another store counts from 1 on.
    #expect(try await open(1, "b") == 11)
    #expect(try await open(1, "b") == 11)
    let stale = TransferError.stale(place.key, epoch: 10, current: 11)
    await #expect(throws: stale) { try await journal.add(place.download(), to: place.key, epoch: 10) }
    #expect(try await journal.take(place.key, token: 2, of: "b", owner: "x") == 12)
    await #expect(throws: TransferError.stale(place.key, epoch: 1, current: 12)) { try await open(1, "b") }
    #expect(try await journal.session(place.key)?.owner == "x")
    #expect(try await open(40, "b") == 40)
    #expect(try await open(3, "a") == 41)
  }

  @Test func `takes no task whose owner has lost the session while its file was copied`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    let key = place.key
    let lost: @Sendable () async throws(TransferError) -> Void = { () async throws(TransferError) in
      throw TransferError.disconnected(key)
    }
    _ = try await place.upload("text") { draft in
      do throws(TransferError) {
        _ = try await journal.add(draft, to: key, epoch: 1, confirm: lost)
        Issue.record("a task was taken")
      } catch { #expect(error == .disconnected(key)) }
    }
    #expect(place.files.isEmpty)
    #expect(try await journal.tasks(key).isEmpty)
  }

  @Test func `refuses whoever comes with an old epoch`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session(epoch: 3))
    let id = try await journal.add(place.download(), to: place.key, epoch: 3)
    let other = place.journal()
    try await other.take(place.key, token: 4, owner: "com.example.app")
    let stale = TransferError.stale(place.key, epoch: 3, current: 4)
    await #expect(throws: stale) { try await journal.add(place.download(), to: place.key, epoch: 3) }
    await #expect(throws: stale) { try await journal.cancel(id, of: place.key, epoch: 3) }
    await #expect(throws: stale) { try await journal.acknowledge([1], of: place.key, epoch: 3) }
    await #expect(throws: stale) { try await journal.finishAndInvalidate(place.key, epoch: 3) }
    await #expect(throws: stale) { try await journal.invalidateAndCancel(place.key, epoch: 3) }
    await #expect(throws: stale) { try await journal.open(place.session(epoch: 3)) }
    await #expect(throws: stale) { try await journal.take(place.key, token: 3, owner: "a") }
    _ = try await place.upload("text") { draft in
      await #expect(throws: stale) { try await journal.add(draft, to: place.key, epoch: 3) }
    }
    #expect(place.files.isEmpty)
    #expect(try await other.tasks(place.key).map(\.state) == [.waiting])
    #expect(try await other.add(place.download(), to: place.key, epoch: 4) > id)
  }

  @Test func `copies what is uploaded, so that later changes change nothing`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    let id = try await place.upload("as it was") { try await journal.add($0, to: place.key, epoch: 1) }
    _ = try place.directory.write("edited", to: "source")
    let task = try #require(try await journal.task(id))
    let name = try #require(task.source)
    #expect(try String(contentsOfFile: journal.folder.path(of: name), encoding: .utf8) == "as it was")
    #expect(task.bytesExpected == 9)
    try await journal.cancel(id, of: place.key, epoch: 1)
    #expect(place.files.isEmpty)
  }

  @Test func `copies no more than an app may keep, and leaves nothing of it`() async throws {
    let journal = place.journal { $0.sourceBytesPerApp = 10 }
    _ = try await journal.open(place.session())
    _ = try await place.upload("12345678") { try await journal.add($0, to: place.key, epoch: 1) }
    for text in ["123", "12345678901"] {
      let error = try await place.upload(text) { draft in
        await #expect(throws: TransferError.self) { try await journal.add(draft, to: place.key, epoch: 1) }
      }
      guard case .quota(_, limit: 10)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(place.files.count == 1)
  }

  @Test func `keeps one copy of what is uploaded again and again`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var ids: [Int64] = []
    for _ in 0..<40 {
      ids.append(
        try await place.upload("the same") { try await journal.add($0, to: place.key, epoch: 1, ceiling: 12) })
    }
    #expect(place.files.count == 1)
    // Of the same length, and not the same.
    await #expect(throws: TransferError.self) {
      try await place.upload("the sane") { try await journal.add($0, to: place.key, epoch: 1, ceiling: 12) }
    }
    _ = try await place.upload("else") { try await journal.add($0, to: place.key, epoch: 1, ceiling: 12) }
    #expect(place.files.count == 2)
    for id in ids.dropLast() { try await journal.cancel(id, of: place.key, epoch: 1) }
    let last = try #require(try await journal.task(ids[39])?.source)
    #expect(try String(contentsOfFile: journal.folder.path(of: last), encoding: .utf8) == "the same")
    try await journal.cancel(ids[39], of: place.key, epoch: 1)
    #expect(place.files.count == 1)
    let again = try await place.upload("the same") { try await journal.add($0, to: place.key, epoch: 1, ceiling: 12) }
    #expect(try await journal.task(again)?.source != last)
  }

  @Test func `copies no more than an app may keep, of many at the same time too`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    let key = place.key
    let paths = try (0..<8).map { try place.directory.write("\($0)2345678", to: "file\($0)") }
    let taken = await withTaskGroup(of: Bool.self) { group in
      for path in paths {
        group.addTask {
          let descriptor = open(path, O_RDONLY | O_CLOEXEC)
          defer { close(descriptor) }
          let draft = TransferDraft(
            TransferRequest(url: "http://127.0.0.1:1/a", method: "PUT"), .upload(descriptor: descriptor))
          return (try? await journal.add(draft, to: key, epoch: 1, ceiling: 20)) != nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(taken == 2)
    #expect(place.files.count == 2)
  }

  @Test func `knows what is there of an app's other downloads`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var ids: [Int64] = []
    for bytes in [3, 50] as [Int64] {
      let id = try await journal.add(place.download(), to: place.key, epoch: 1)
      var record = try #require(try await journal.task(id))
      record.part = TransferRecord.Part(
        name: "p\(bytes)", validator: nil, bytes: bytes, durableBytes: 0, total: nil, boot: place.clock.now.boot)
      record.bytesDone = bytes
      try await journal.keep([TransferOutcome(record: record)])
      ids.append(id)
    }
    let app = place.key.app
    #expect(try await journal.partBytes(of: app, except: ids[0]) == 50)
    #expect(try await journal.partBytes(of: app, except: 0) == 53)
    #expect(try await journal.partBytes(of: "com.example.other", except: 0) == 0)
    try await journal.cancel(ids[1], of: place.key, epoch: 1)
    #expect(try await journal.partBytes(of: app, except: 0) == 3)
  }

  @Test func `forgets sessions that have nothing, and whatever a user removes`() async throws {
    let journal = place.journal()
    for name in ["a", "b", "c"] { _ = try await journal.open(place.session(name)) }
    let keys = ["a", "b", "c"].map { SessionKey(app: place.key.app, identifier: $0) }
    let id = try await journal.add(place.download(), to: keys[1], epoch: 1)
    try await journal.cancel(id, of: keys[1], epoch: 1)
    _ = try await place.upload("a") { try await journal.add($0, to: keys[2], epoch: 1) }
    // What has an event still has something to say.
    #expect(try await journal.emptySessions(of: place.key.app) == [keys[0]])
    #expect(try await journal.remove(keys[0], ifEmpty: true))
    #expect(try await !journal.remove(keys[1], ifEmpty: true))
    #expect(try await journal.session(keys[0]) == nil)
    #expect(place.files.count == 1)
    for key in keys { try await journal.remove(key) }
    #expect(try await journal.sessions().isEmpty)
    #expect(try await journal.unacknowledged().isEmpty)
    #expect(try await journal.unfinishedIDs().isEmpty)
    #expect(place.files.isEmpty)
  }

  @Test func `tells the owner of each event until it is acknowledged, in order`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var ids: [Int64] = []
    for _ in 0..<3 { ids.append(try await journal.add(place.download(), to: place.key, epoch: 1)) }
    for id in ids { try await journal.cancel(id, of: place.key, epoch: 1) }
    try await journal.cancel(ids[0], of: place.key, epoch: 1)
    let events = try await journal.events(of: place.key)
    #expect(events.map(\.task) == ids)
    #expect(events.map(\.id) == events.map(\.id).sorted() && Set(events.map(\.id)).count == 3)
    #expect(events.allSatisfy { $0.kind == .didComplete && $0.error?.code == -999 })
    #expect(try await journal.unacknowledged() == [place.key: 3])
    try await journal.acknowledge([events[1].id], of: place.key, epoch: 1)
    #expect(try await place.journal().events(of: place.key) == [events[0], events[2]])
    #expect(try await journal.events(of: place.key, after: events[0].id) == [events[2]])
    // A task goes with its last event.
    #expect(try await journal.tasks(place.key).map(\.id) == [ids[0], ids[2]])
    try await journal.acknowledge(events.map(\.id), of: place.key, epoch: 1)
    #expect(try await journal.tasks(place.key).isEmpty)
    let later = try await journal.add(place.download(), to: place.key, epoch: 1)
    #expect(later > ids[2])
    try await journal.cancel(later, of: place.key, epoch: 1)
    #expect(try await journal.events(of: place.key).map(\.id) == [events[2].id + 1])
  }

  @Test func `has bounds for sessions, tasks and requests`() async throws {
    let journal = place.journal {
      $0.sessionsPerApp = 2
      $0.tasksPerSession = 2
      $0.requestBytes = 200
    }
    for name in ["a", "b"] { _ = try await journal.open(place.session(name)) }
    _ = try await journal.open(place.session("a"))
    await #expect(throws: TransferError.quota("The app com.example.app has 2 sessions.", limit: 2)) {
      try await journal.open(place.session("c"))
    }
    let key = SessionKey(app: place.key.app, identifier: "a")
    let long = place.download("http://127.0.0.1/" + String(repeating: "a", count: 200))
    await #expect(throws: TransferError.quota("The request has more than 200 bytes.", limit: 200)) {
      try await journal.add(long, to: key, epoch: 1)
    }
    for _ in 0..<2 { _ = try await journal.add(place.download(), to: key, epoch: 1) }
    await #expect(throws: TransferError.quota("The session \(key) has 2 tasks.", limit: 2)) {
      try await journal.add(place.download(), to: key, epoch: 1)
    }
  }

  @Test func `ends a session with its last task, and forgets it with its last event`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    let id = try await journal.add(place.download(), to: place.key, epoch: 1)
    try await journal.finishAndInvalidate(place.key, epoch: 1)
    await #expect(throws: TransferError.noSession(place.key)) {
      try await journal.add(place.download(), to: place.key, epoch: 1)
    }
    #expect(try await journal.session(place.key)?.state == .finishing)
    try await journal.cancel(id, of: place.key, epoch: 1)
    #expect(try await journal.session(place.key)?.state == .invalidated)
    try await journal.acknowledge(try await journal.events(of: place.key).map(\.id), of: place.key, epoch: 1)
    #expect(try await journal.session(place.key) == nil)
  }

  @Test func `cancels all with the session`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    for _ in 0..<2 { _ = try await journal.add(place.download(), to: place.key, epoch: 1) }
    _ = try await place.upload("a") { try await journal.add($0, to: place.key, epoch: 1) }
    try await journal.invalidateAndCancel(place.key, epoch: 1)
    #expect(try await journal.tasks(place.key).map(\.state) == [.cancelled, .cancelled, .cancelled])
    #expect(try await journal.events(of: place.key).count == 3)
    #expect(place.files.isEmpty)
    #expect(try await journal.session(place.key)?.state == .invalidated)
  }

  @Test func `tells other processes of each commit`() async throws {
    let (writer, reader) = (place.journal(), place.journal())
    _ = try await writer.open(place.session())
    let before = try await reader.version()
    #expect(try await reader.version() == before)
    _ = try await writer.add(place.download(), to: place.key, epoch: 1)
    var count = reader.changes.count
    while try await reader.version() == before {
      try await reader.changes.wait(past: count)
      count = reader.changes.count
    }
    #expect(try await reader.tasks(place.key).count == 1)
  }

  @Test func `that is damaged is set aside, said once, and begun anew with other numbers`() async throws {
    do {
      let journal = place.journal()
      _ = try await journal.open(place.session())
      _ = try await journal.add(place.download(), to: place.key, epoch: 1)
    }
    let path = "\(place.folder)/transfers.sqlite"
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try Data(repeating: 7, count: 20_000).write(to: URL(fileURLWithPath: path))
    let journal = place.journal()
    let error = await #expect(throws: TransferError.self) { try await journal.sessions() }
    guard case .corrupt(_, let setAside?)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(journal.setAside == [setAside])
    #expect(error?.recovery.contains(setAside) == true)
    #expect(try await journal.sessions().isEmpty)
    _ = try await journal.open(place.session())
    #expect(try await journal.add(place.download(), to: place.key, epoch: 1) == 1_800_000_000_000)
  }

  @Test func `clears up what ended processes left behind, and nothing that is being made`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    _ = try await place.upload("kept") { try await journal.add($0, to: place.key, epoch: 1) }
    let made = try await journal.makeFile()
    try Data([1]).write(to: URL(fileURLWithPath: "\(place.folder)/files/orphan"))
    let kept = place.files.filter { $0 != "orphan" }
    _ = try await place.journal().sessions()
    #expect(place.files == kept && kept.contains(made.name) && kept.count == 2)
  }
}
