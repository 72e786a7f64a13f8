import EventLoop
import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import Transfers

/// What a journal stores of tasks while they run and when they end, and what comes too late.
@Suite(.timeLimit(.minutes(1)))
struct `A task in a journal` {
  let place: Journals

  init() throws { place = try Journals() }

  private func download(_ journal: TransferJournal) async throws -> TransferRecord {
    let id = try await journal.add(place.download(), to: place.key, epoch: 1)
    return try #require(try await journal.task(id))
  }

  private func part(_ name: String, bytes: Int64 = 0, durable: Int64 = 0, total: Int64? = nil) -> TransferRecord.Part {
    TransferRecord.Part(
      name: name, validator: nil, bytes: bytes, durableBytes: durable, total: total, boot: place.clock.now.boot)
  }

  @Test func `has all that was stored last, and nothing from before`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    let added = try await download(journal)
    var record = added
    record.state = .backingOff
    record.bytesDone = 11
    record.bytesExpected = 22
    record.attempts = 3
    record.notBefore = Countdown(.seconds(4), from: TransferInstant(boot: "b", sinceBoot: 5, wall: 6))
    record.part = TransferRecord.Part(
      name: "p1", validator: "\"v\"", bytes: 11, durableBytes: 7, total: 22, boot: "b",
      response: TransferResponse(status: 206, headers: ["A": "b"], url: "http://a/"), isMoving: true)
    record.hasToldOfWaiting = true
    record.status = 503
    for stored in [record, added, record] {
      try await journal.keep([TransferOutcome(record: stored)])
      #expect(try await journal.task(added.id) == stored)
      #expect(try await place.journal().tasks(place.key) == [stored])
    }
  }

  @Test func `has the file of its part, and not the one before`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var record = try await download(journal)
    let files = [try await journal.makeFile(), try await journal.makeFile()]
    for (kept, left) in [
      (files[0].name, 2), (files[0].name, 2), (files[1].name, 1), (nil, 0), (nil, 0),
    ] as [(String?, Int)] {
      record.part = kept.map { part($0) }
      try await journal.keep([TransferOutcome(record: record)])
      #expect(place.files.count == left)
      if left == 1 { #expect(place.files == [files[1].name]) }
    }
  }

  @Test(
    arguments: [("../up", 0, 0, nil), ("", 0, 0, nil), ("p", -1, 0, nil), ("p", 0, -1, nil), ("p", 0, 0, -1)]
      as [(String, Int64, Int64, Int64?)])
  func `has no part of another place or of less than nothing`(
    name: String, bytes: Int64, durable: Int64, total: Int64?
  ) async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var record = try await download(journal)
    record.part = part("p", total: 0)
    try await journal.keep([TransferOutcome(record: record)])
    #expect(try await journal.task(record.id) == record)
    record.part = part(name, bytes: bytes, durable: durable, total: total)
    try await journal.keep([TransferOutcome(record: record)])
    let error = await #expect(throws: TransferError.self) { try await journal.task(record.id) }
    guard case .corrupt? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [TransferRecord.State.running, .completed, .failed])
  func `takes nothing that comes after its end, also when it is gone`(state: TransferRecord.State) async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var late = try await download(journal)
    (late.state, late.bytesDone) = (state, 9)
    try await journal.cancel(late.id, of: place.key, epoch: 1)
    let cancelled = try #require(try await journal.task(late.id))
    let outcome = {
      late.part = self.part(try await journal.makeFile().name)
      return TransferOutcome(record: late, news: [TransferNews(.didFinishDownloading, path: "a")])
    }
    for _ in 0..<2 {
      try await journal.keep([try await outcome()])
      #expect(try await journal.task(late.id) == cancelled && place.files.isEmpty)
      #expect(try await journal.events(of: place.key).map(\.kind) == [.didComplete])
    }
    try await journal.acknowledge(try await journal.events(of: place.key).map(\.id), of: place.key, epoch: 1)
    try await journal.keep([try await outcome()])
    #expect(try await journal.tasks(place.key).isEmpty && place.files.isEmpty)
    #expect(try await journal.events(of: place.key).isEmpty)
  }

  @Test func `leaves a copy to another one that uploads it, however it ends`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var ids: [Int64] = []
    for _ in 0..<3 {
      ids.append(try await place.upload("the same") { try await journal.add($0, to: place.key, epoch: 1) })
    }
    let copy = try #require(place.files.first)
    for (index, state) in [TransferRecord.State.completed, .failed].enumerated() {
      var record = try #require(try await journal.task(ids[index]))
      record.state = state
      try await journal.keep([TransferOutcome(record: record, news: [TransferNews(.didComplete)])])
      #expect(try await journal.task(ids[index])?.source == nil)
      #expect(try await journal.task(ids[2])?.source == copy && place.files == [copy])
    }
    try await journal.remove(place.key)
    #expect(place.files.isEmpty)
  }

  @Test func `is gone with its end when there is nothing to say, and its session with it`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var records = [try await download(journal), try await download(journal)]
    try await journal.finishAndInvalidate(place.key, epoch: 1)
    records[0].state = .completed
    try await journal.keep([TransferOutcome(record: records[0])])
    #expect(try await journal.tasks(place.key).map(\.id) == [records[1].id])
    #expect(try await journal.session(place.key)?.state == .finishing)
    records[1].state = .failed
    try await journal.keep([TransferOutcome(record: records[1])])
    #expect(try await journal.session(place.key) == nil)
  }

  @Test(arguments: [TransferRecord.State.completed, .failed, .cancelled])
  func `is gone when its end is acknowledged, whatever that was`(state: TransferRecord.State) async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var record = try await download(journal)
    record.state = state
    try await journal.keep([TransferOutcome(record: record, news: [TransferNews(.didComplete)])])
    #expect(try await journal.task(record.id)?.state == state)
    try await journal.acknowledge(try await journal.events(of: place.key).map(\.id), of: place.key, epoch: 1)
    #expect(try await journal.task(record.id) == nil)
  }

  @Test(arguments: [TransferRecord.State.waiting, .running, .backingOff])
  func `keeps its session from ending, and takes its room, until it is over`(state: TransferRecord.State) async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var (record, other) = (try await download(journal), try await download(journal))
    (record.state, record.bytesDone, record.part) = (state, 7, part("p", bytes: 7))
    try await journal.keep([TransferOutcome(record: record)])
    try await journal.finishAndInvalidate(place.key, epoch: 1)
    other.state = .failed
    try await journal.keep([TransferOutcome(record: other)])
    #expect(try await journal.session(place.key)?.state == .finishing)
    #expect(try await journal.partBytes(of: place.key.app, except: other.id) == 7)
    record.state = .failed
    try await journal.keep([TransferOutcome(record: record)])
    #expect(try await journal.session(place.key) == nil)
    #expect(try await journal.partBytes(of: place.key.app, except: other.id) == 0)
  }

  @Test func `has what it received when the journal is opened again, and when that is cleared up`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var record = try await download(journal)
    // Nobody has the file open any more.
    let name = try await journal.makeFile().name
    record.part = part(name)
    try await journal.keep([TransferOutcome(record: record)])
    let again = place.journal()
    #expect(try await again.tasks(place.key) == [record])
    #expect(place.files == [name])
    try await again.sweep()
    #expect(place.files == [name])
    try await again.cancel(record.id, of: place.key, epoch: 1)
    #expect(place.files.isEmpty)
  }

  @Test func `is of interest until it is over`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    #expect(try await !journal.hasUnfinishedTasks())
    var record = try await download(journal)
    for state in [TransferRecord.State.waiting, .running, .backingOff] {
      record.state = state
      try await journal.keep([TransferOutcome(record: record)])
      #expect(try await journal.hasUnfinishedTasks())
      #expect(try await journal.unfinished(after: record.id - 1) == [record])
      #expect(try await journal.unfinished(after: record.id).isEmpty)
    }
    record.state = .completed
    try await journal.keep([TransferOutcome(record: record, news: [TransferNews(.didComplete)])])
    #expect(try await !journal.hasUnfinishedTasks())
    #expect(try await journal.unfinished(after: 0).isEmpty)
  }

  @Test func `is news for who runs it when somebody else has written it`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    for _ in 0..<2 {
      let record = try await download(journal)
      let (outside, all) = (try await journal.outsideVersion(), try await journal.version())
      try await journal.keep([TransferOutcome(record: record)])
      #expect(try await journal.outsideVersion() == outside)
      #expect(try await journal.version() != all)
      try await journal.keep([])
      try await journal.cancel(record.id, of: place.key, epoch: 1)
      #expect(try await journal.outsideVersion() != outside)
    }
  }

  @Test func `belongs to its session alone, with its events`() async throws {
    let journal = place.journal()
    for name in ["a", "b"] { _ = try await journal.open(place.session(name)) }
    let keys = ["a", "b"].map { SessionKey(app: place.key.app, identifier: $0) }
    let id = try await journal.add(place.download(), to: keys[0], epoch: 1)
    await #expect(throws: TransferError.noTask(id)) { try await journal.cancel(id, of: keys[1], epoch: 1) }
    await #expect(throws: TransferError.noTask(id + 1)) { try await journal.cancel(id + 1, of: keys[0], epoch: 1) }
    #expect(try await journal.task(id)?.state == .waiting)
    try await journal.cancel(id, of: keys[0], epoch: 1)
    let other = try await journal.add(place.download(), to: keys[1], epoch: 1)
    try await journal.cancel(other, of: keys[1], epoch: 1)
    let event = try #require(try await journal.events(of: keys[0]).first)
    try await journal.acknowledge([event.id], of: keys[1], epoch: 1)
    #expect(try await journal.events(of: keys[0]) == [event])
    #expect(try await journal.unacknowledged() == [keys[0]: 1, keys[1]: 1])
    for _ in 0..<2 { try await journal.acknowledge([event.id], of: keys[0], epoch: 1) }
    #expect(try await journal.unacknowledged() == [keys[1]: 1])
    #expect(try await journal.task(id) == nil)
    #expect(try await journal.task(other)?.state == .cancelled)
  }

  @Test func `stays until the last of its events is acknowledged`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    var record = try await download(journal)
    record.state = .completed
    let failure = TransferFailure(domain: "d", code: 7, "No.", recovery: "Yes.")
    let told = [
      TransferNews(.waitingForConnectivity),
      TransferNews(.didFinishDownloading, path: "é/a", response: TransferResponse(status: 1, headers: [:], url: "u")),
      TransferNews(.didComplete, error: failure),
    ]
    try await journal.keep([TransferOutcome(record: record, news: told)])
    let events = try await journal.events(of: place.key)
    #expect(events.map(\.kind) == told.map(\.kind) && events.map(\.path) == told.map(\.path))
    #expect(events.map(\.response) == told.map(\.response) && events.map(\.error) == told.map(\.error))
    #expect(try await journal.events(of: place.key, atMost: 2) == Array(events[..<2]))
    #expect(try await journal.events(of: place.key, after: events[0].id, atMost: 1) == [events[1]])
    for (index, event) in events.enumerated() {
      #expect(try await journal.task(record.id) != nil)
      try await journal.acknowledge([event.id], of: place.key, epoch: 1)
      #expect(try await journal.events(of: place.key) == Array(events[(index + 1)...]))
    }
    #expect(try await journal.task(record.id) == nil)
  }
}
