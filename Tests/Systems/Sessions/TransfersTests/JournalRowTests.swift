import Foundation
import SQLite
import Testing

@testable import Transfers

/// What a journal reads of its rows, and who may add which.
@Suite(.timeLimit(.minutes(1)))
struct `A row of a journal` {
  let place: Journals

  init() throws { place = try Journals() }

  private static let header = #"{"a":"#

  @Test(arguments: [
    "sessions SET state = 'x'", "sessions SET configuration = '\(header)'", "sessions SET manifests = '\(header)'",
    "tasks SET kind = 'x'", "tasks SET state = 'x'", "tasks SET headers = '\(header)'", "tasks SET part = '\(header)'",
    "events SET kind = 'x'",
  ])
  func `that cannot be read is damage, and no other row`(change: String) async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    let id = try await journal.add(place.download(), to: place.key, epoch: 1)
    try await journal.cancel(id, of: place.key, epoch: 1)
    #expect(try await journal.events(of: place.key).count == 1)
    _ = try await journal.write { try $0.database.run("UPDATE \(change)") }
    let key = place.key
    let error = await #expect(throws: TransferError.self) {
      switch change.prefix(1) {
      case "s": _ = try await journal.session(key)
      case "t": _ = try await journal.task(id)
      default: _ = try await journal.events(of: key)
      }
    }
    guard case .corrupt? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `of an event has no answer and no error where these cannot be read`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    let id = try await journal.add(place.download(), to: place.key, epoch: 1)
    try await journal.cancel(id, of: place.key, epoch: 1)
    let before = try #require(try await journal.events(of: place.key).first)
    #expect(before.error != nil && before.response == nil && before.path == nil)
    let header = Self.header
    _ = try await journal.write { try $0.database.run("UPDATE events SET error = ?1, response = ?1", header) }
    let after = try #require(try await journal.events(of: place.key).first)
    #expect(after.error == nil && after.response == nil && after.id == before.id && after.kind == before.kind)
  }

  @Test func `is not added where the journal has lost its numbers`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    _ = try await journal.write { try $0.database.run("DELETE FROM numbers") }
    let key = place.key
    let error = await #expect(throws: TransferError.self) {
      try await journal.add(place.download(), to: key, epoch: 1)
    }
    guard case .corrupt? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `of a session without tasks goes with its end, however it is ended`() async throws {
    let journal = place.journal()
    for isFinished in [true, false] {
      for name in ["a", "b"] { _ = try await journal.open(place.session(name)) }
      let key = SessionKey(app: place.key.app, identifier: "a")
      if isFinished {
        try await journal.finishAndInvalidate(key, epoch: 1)
      } else {
        try await journal.invalidateAndCancel(key, epoch: 1)
      }
      #expect(try await journal.sessions().map(\.key.identifier) == ["b"])
      await #expect(throws: TransferError.noSession(key)) { try await journal.finishAndInvalidate(key, epoch: 1) }
      await #expect(throws: TransferError.noSession(key)) { try await journal.invalidateAndCancel(key, epoch: 1) }
      await #expect(throws: TransferError.noSession(key)) { try await journal.acknowledge([1], of: key, epoch: 1) }
      await #expect(throws: TransferError.noSession(key)) { try await journal.cancel(1, of: key, epoch: 1) }
    }
  }

  // MARK: Uploads

  @Test func `has a copy of its own when the one that was there has gone meanwhile`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    let key = place.key
    let first = try await place.upload("the same") { try await journal.add($0, to: key, epoch: 1) }
    let copy = try await journal.task(first)?.source
    let ends: @Sendable () async throws(TransferError) -> Void = { () async throws(TransferError) in
      try await journal.cancel(first, of: key, epoch: 1)
    }
    let second = try await place.upload("the same") { try await journal.add($0, to: key, epoch: 1, confirm: ends) }
    let source = try #require(try await journal.task(second)?.source)
    #expect(source != copy && place.files == [source])
    #expect(try String(contentsOfFile: journal.folder.path(of: source), encoding: .utf8) == "the same")
  }

  @Test func `is refused to who may not add it before its file is looked at`() async throws {
    let journal = place.journal()
    let key = place.key
    let draft = TransferDraft(TransferRequest(url: "http://a/", method: "PUT"), .upload(descriptor: -1))
    await #expect(throws: TransferError.noSession(key)) { try await journal.add(draft, to: key, epoch: 1) }
    _ = try await journal.open(place.session(epoch: 2))
    await #expect(throws: TransferError.stale(key, epoch: 1, current: 2)) {
      try await journal.add(draft, to: key, epoch: 1)
    }
    for epoch in [2, 3] as [Int64] {
      let error = await #expect(throws: TransferError.self) { try await journal.add(draft, to: key, epoch: epoch) }
      #expect(error == .source("What is uploaded is not a regular file.", recovery: "Name a file."))
    }
    _ = try await journal.add(place.download(), to: key, epoch: 2)
    try await journal.finishAndInvalidate(key, epoch: 2)
    await #expect(throws: TransferError.noSession(key)) { try await journal.add(draft, to: key, epoch: 2) }
  }

  @Test func `has a key that equals the same bytes only`() {
    let key = SessionKey(app: "a", identifier: "caf\u{E9}")
    #expect(key == SessionKey(app: "a", identifier: "caf\u{E9}"))
    #expect(Set([key, SessionKey(app: "a", identifier: "cafe\u{301}"), key]).count == 2)
    #expect(key != SessionKey(app: "b", identifier: "caf\u{E9}"))
  }
}
