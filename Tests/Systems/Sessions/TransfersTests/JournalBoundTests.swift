import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import Transfers

/// What a journal keeps for whom, at its bounds, and whose a session is.
@Suite(.timeLimit(.minutes(1)))
struct `A journal of transfers at its bounds` {
  let place: Journals

  init() throws { place = try Journals() }

  private func session(of app: String, _ identifier: String = "s") -> SessionRecord {
    SessionRecord(
      key: SessionKey(app: app, identifier: identifier), owner: "o", epoch: 1, group: "g", container: place.container)
  }

  @Test func `counts the tasks of each session, and the sessions of each app`() async throws {
    let journal = place.journal {
      $0.sessionsPerApp = 2
      $0.tasksPerSession = 2
    }
    for app in ["a", "b"] {
      for name in ["1", "2"] { _ = try await journal.open(session(of: app, name)) }
      await #expect(throws: TransferError.quota("The app \(app) has 2 sessions.", limit: 2)) {
        try await journal.open(session(of: app, "3"))
      }
    }
    try await journal.remove(SessionKey(app: "a", identifier: "2"))
    _ = try await journal.open(session(of: "a", "3"))
    let full = TransferError.quota("The session a/1 has 2 tasks.", limit: 2)
    let key = SessionKey(app: "a", identifier: "1")
    let first = try await journal.add(place.download(), to: key, epoch: 1)
    _ = try await journal.add(place.download(), to: key, epoch: 1)
    _ = try await journal.add(place.download(), to: SessionKey(app: "a", identifier: "3"), epoch: 1)
    await #expect(throws: full) { try await journal.add(place.download(), to: key, epoch: 1) }
    // One that is over counts until its owner knows.
    try await journal.cancel(first, of: key, epoch: 1)
    await #expect(throws: full) { try await journal.add(place.download(), to: key, epoch: 1) }
    try await journal.acknowledge(try await journal.events(of: key).map(\.id), of: key, epoch: 1)
    _ = try await journal.add(place.download(), to: key, epoch: 1)
    await #expect(throws: full) { try await journal.add(place.download(), to: key, epoch: 1) }
  }

  @Test func `takes no session of an app that has more than it may have now`() async throws {
    for name in ["1", "2", "3"] { _ = try await place.journal().open(session(of: "a", name)) }
    for limit in [2, 3] {
      let journal = place.journal { $0.sessionsPerApp = limit }
      await #expect(throws: TransferError.quota("The app a has \(limit) sessions.", limit: limit)) {
        try await journal.open(session(of: "a", "4"))
      }
      // One that is there goes on.
      _ = try await journal.open(session(of: "a", "1"))
    }
  }

  @Test func `counts the bytes of a request with its header`() async throws {
    // 9 bytes and 10 letters of two bytes each, and a header without fields.
    let draft = TransferDraft(
      TransferRequest(url: "http://a/" + String(repeating: "é", count: 10)), .download(destination: "a"))
    let size = try 29 + JSONEncoder().encode(HTTPFields()).count
    _ = try await place.journal().open(place.session())
    let key = place.key
    let refusal = TransferError.quota("The request has more than \(size - 1) bytes.", limit: size - 1)
    await #expect(throws: refusal) {
      try await place.journal { $0.requestBytes = size - 1 }.add(draft, to: key, epoch: 1)
    }
    _ = try await place.journal { $0.requestBytes = size }.add(draft, to: key, epoch: 1)
  }

  @Test func `counts the copies of each app, and shares none with another one`() async throws {
    let journal = place.journal()
    for app in ["a", "b"] { _ = try await journal.open(session(of: app)) }
    for (count, app) in ["a", "b", "a", "b"].enumerated() {
      _ = try await place.upload("12345678") {
        try await journal.add($0, to: SessionKey(app: app, identifier: "s"), epoch: 1, ceiling: 8)
      }
      #expect(place.files.count == min(count + 1, 2))
    }
    let full = TransferError.quota("The files that the app a uploads come to more than 8 bytes.", limit: 8)
    await #expect(throws: full) {
      try await place.upload("1") {
        try await journal.add($0, to: SessionKey(app: "a", identifier: "s"), epoch: 1, ceiling: 8)
      }
    }
  }

  @Test func `copies no file that the disk has no room for, and then another one`() async throws {
    let size = Int64(1) << 43
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: place.directory.path)
    try #require((attributes[.systemFreeSize] as? Int64 ?? 0) < size)
    let path = try place.directory.write("", to: "hole")
    try #require(truncate(path, off_t(size)) == 0)
    let journal = place.journal { $0.sourceBytesPerApp = size }
    _ = try await journal.open(place.session())
    let key = place.key
    for _ in 0..<2 {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      let draft = TransferDraft(TransferRequest(url: "http://a/", method: "PUT"), .upload(descriptor: descriptor))
      let refusal = TransferError.source(
        "What is uploaded cannot be copied: the disk has no room for \(size) bytes more.",
        recovery: "Free space on the disk, and try again.")
      await #expect(throws: refusal) { try await journal.add(draft, to: key, epoch: 1) }
      #expect(place.files.isEmpty)
    }
    // Nothing is kept free for the one that was refused.
    #expect(await journal.copying.isEmpty)
    _ = try await place.upload("text") { try await journal.add($0, to: key, epoch: 1) }
    #expect(await journal.copying.isEmpty && place.files.count == 1)
  }

  @Test func `leaves a copy that was there to its task when another one is not taken`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    let key = place.key
    _ = try await place.upload("text") { try await journal.add($0, to: key, epoch: 1) }
    let lost: @Sendable () async throws(TransferError) -> Void = { () async throws(TransferError) in
      throw TransferError.disconnected(key)
    }
    await #expect(throws: TransferError.disconnected(key)) {
      try await place.upload("text") { try await journal.add($0, to: key, epoch: 1, confirm: lost) }
    }
    await #expect(throws: TransferError.disconnected(key)) {
      try await journal.add(place.download(), to: key, epoch: 1, confirm: lost)
    }
    #expect(place.files.count == 1)
    #expect(try await journal.tasks(key).count == 1)
  }

  @Test func `gives a session all of its last owner, and keeps the time of its first`() async throws {
    let journal = place.journal()
    _ = try await journal.open(place.session())
    _ = try await journal.add(place.download(), to: place.key, epoch: 1)
    try await journal.finishAndInvalidate(place.key, epoch: 1)
    place.clock.advance(.seconds(5))
    var configuration = SessionConfiguration()
    configuration.maximumConnectionsPerHost = 9
    var other = SessionRecord(
      key: place.key, owner: "o", epoch: 3, of: "store", group: "g", container: "/c", machine: "there",
      configuration: configuration, manifests: ["/n", "/o"])
    let opened = try await journal.open(other)
    other.createdAt = 1_800_000_000
    #expect(opened == other)
    #expect(try await place.journal().session(place.key) == other)
    #expect(try await journal.tasks(place.key).map(\.state) == [.waiting])
    _ = try await journal.add(place.download(), to: place.key, epoch: 3)
  }

  @Test func `gives a session to who has the lease of another store, and no longer to the one before`() async throws {
    let journal = place.journal()
    let key = place.key
    await #expect(throws: TransferError.noSession(key)) { try await journal.take(key, token: 1, owner: "a") }
    var session = place.session(epoch: 5)
    session.store = "a"
    _ = try await journal.open(session)
    #expect(try await journal.take(key, token: 1, of: "b", owner: "b") == 6)
    let taken = try await journal.session(key)
    #expect(taken?.store == "b" && taken?.token == 1 && taken?.epoch == 6 && taken?.owner == "b")
    await #expect(throws: TransferError.stale(key, epoch: 0, current: 6)) {
      try await journal.take(key, token: 0, of: "b", owner: "c")
    }
    await #expect(throws: TransferError.stale(key, epoch: 5, current: 6)) {
      try await journal.add(place.download(), to: key, epoch: 5)
    }
    // The same lease is the same epoch, a later one another.
    #expect(try await journal.take(key, token: 1, of: "b", owner: "d") == 6)
    #expect(try await journal.take(key, token: 2, of: "b", owner: "d") == 7)
    #expect(try await journal.take(key, token: 8, of: "b", owner: "d") == 8)
    #expect(try await journal.session(key)?.owner == "d")
  }

  @Test func `names the sessions of an app that have nothing, the oldest first`() async throws {
    let journal = place.journal()
    for name in ["d", "c"] { _ = try await journal.open(session(of: "a", name)) }
    place.clock.advance(.seconds(1))
    for app in ["a", "b"] { _ = try await journal.open(session(of: app, "b")) }
    place.clock.advance(.seconds(1))
    for name in ["a", "full"] { _ = try await journal.open(session(of: "a", name)) }
    _ = try await journal.add(place.download(), to: SessionKey(app: "a", identifier: "full"), epoch: 1)
    #expect(try await journal.emptySessions(of: "a").map(\.identifier) == ["c", "d", "b", "a"])
    #expect(try await journal.emptySessions(of: "b").map(\.app) == ["b"])
    #expect(try await journal.emptySessions(of: "c").isEmpty)
  }
}
