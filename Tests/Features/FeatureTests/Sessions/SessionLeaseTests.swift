import Glibc
import GroupStore
import HostServices
import Sandbox
import TestSupport
import Testing
import Transfers

@testable import SessionServices

@Suite(.timeLimit(.minutes(1)))
struct `The lease of a session` {
  @Test func `is renewed three times before it ends`() {
    #expect(SessionLeases.length == .seconds(15) && SessionLeases.pause == .seconds(5))
  }

  private let backend = InMemoryGroupBackend()
  private let key = SessionKey(app: "com.example.app", identifier: "s")
  private let name = "session/com.example.app/s"
  private var leases: SessionLeases { SessionLeases(store: SuiteStore(GroupStoreProvider(backend))) }

  /// A process that has ended and is waited for.
  private func ended() throws -> ProcessIdentity {
    var pid: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
    defer { free(arguments[0]) }
    try #require(posix_spawn(&pid, "/bin/true", nil, nil, &arguments, nil) == 0)
    var status: Int32 = 0
    try #require(waitpid(pid, &status, 0) == pid)
    return ProcessIdentity(pid: pid, startTime: 1)
  }

  @Test func `is free at once when its owner's process has ended on this machine`() async throws {
    let owner = OwnerID("\(SessionHost.text(of: try ended()))/7")
    let before = try #require(try await backend.acquire(name, owner: owner, for: .seconds(600)))
    let lease = try #require(try await leases.take(key, for: 1))
    #expect(lease.token > before.token)
    do {
      try await leases.confirm(before, of: key)
      Issue.record("a lease that has ended was taken for one that is held")
    } catch { #expect(error as TransferError == .disconnected(key)) }
    try await leases.confirm(lease, of: key)
  }

  @Test func `stays its owner's whose end is not certain`() async throws {
    let dead = SessionHost.text(of: try ended()).split(separator: "/", omittingEmptySubsequences: false).map(
      String.init)
    var owners = ["\(SessionHost.current.text)/1", "machine/12/34/5", "", "a/b"]
    // The same process of another machine, of another start of this one, and of another namespace.
    for place in 0..<3 {
      var parts = dead
      parts[place] += "0"
      owners.append("\(parts.joined(separator: "/"))/7")
    }
    for owner in owners {
      let held = try #require(try await backend.acquire(name, owner: OwnerID(owner), for: .seconds(600)))
      #expect(try await leases.take(key, for: 99) == nil, "\(owner)")
      try await backend.release(held)
    }
  }

  @Test func `that somebody else has later overtakes what the journal knows, in the same store only`() async throws {
    let store = try await backend.identity().text
    let held = try #require(try await backend.acquire(name, owner: "other", for: .seconds(600)))
    func session(_ token: Int64, _ store: String) -> SessionRecord {
      SessionRecord(key: key, owner: "o", epoch: token, of: store, group: "g", container: "/c")
    }
    #expect(try await leases.isOvertaken(session(held.token - 1, store)))
    #expect(try await !leases.isOvertaken(session(held.token, store)))
    #expect(try await !leases.isOvertaken(session(held.token - 1, "another")))
    try await backend.release(held)
    #expect(try await !leases.isOvertaken(session(held.token - 1, store)))
  }

  @Test func `that nobody has, of a session without tasks, makes room for another session`() async throws {
    let directory = try TemporaryDirectory()
    var options = TransferJournal.Options(folder: directory.file("journal"))
    options.limits.sessionsPerApp = 3
    let journal = TransferJournal(options)
    func record(_ name: String) -> SessionRecord {
      SessionRecord(
        key: SessionKey(app: key.app, identifier: name), owner: "o", epoch: 1, group: "g", container: directory.path)
    }
    for name in ["held", "busy", "idle"] { _ = try await leases.open(record(name), in: journal) }
    let held = try #require(try await leases.take(record("held").key, for: 1))
    let draft = TransferDraft(TransferRequest(url: "http://127.0.0.1:1/"), .download(destination: "a"))
    _ = try await journal.add(draft, to: record("busy").key, epoch: 1)
    _ = try await leases.open(record("new"), in: journal)
    #expect(try await journal.sessions().map(\.key.identifier) == ["busy", "held", "new"])
    // Who has a session without tasks keeps it.
    let also = try #require(try await leases.take(record("new").key, for: 2))
    do {
      _ = try await leases.open(record("late"), in: journal)
      Issue.record("a session went that somebody has")
    } catch {
      guard case .quota = error as TransferError else { throw error }
    }
    for lease in [held, also] { await leases.giveBack(lease) }
    #expect(try await leases.open(record("late"), in: journal).epoch == 1)
  }

  @Test func `makes no room where a task came before it was taken`() async throws {
    let directory = try TemporaryDirectory()
    var options = TransferJournal.Options(folder: directory.file("journal"))
    options.limits.sessionsPerApp = 2
    let journal = TransferJournal(options)
    func record(_ name: String) -> SessionRecord {
      SessionRecord(
        key: SessionKey(app: key.app, identifier: name), owner: "o", epoch: 1, group: "g", container: directory.path)
    }
    for name in ["one", "two"] { _ = try await leases.open(record(name), in: journal) }
    // Whoever has a session adds a task and gives the session back, between the look at it and the lease.
    let (first, second) = (record("one").key, record("two").key)
    let busy = LeaseBackend(backend) { name in
      guard name == "session/\(first.app)/\(first.identifier)" else { return }
      let draft = TransferDraft(TransferRequest(url: "http://127.0.0.1:1/"), .download(destination: "a"))
      _ = try await journal.add(draft, to: first, epoch: 1)
    }
    let late = SessionLeases(store: SuiteStore(GroupStoreProvider(busy)))
    _ = try await late.open(record("new"), in: journal)
    #expect(try await journal.sessions().map(\.key.identifier) == ["new", "one"])
    #expect(try await journal.tasks(first).count == 1)
    // Neither lease is kept.
    for key in [first, second] { #expect(try await leases.take(key, for: 3) != nil) }
  }
}

/// A store in which something happens before each lease is taken.
private final class LeaseBackend: GroupBackend {
  private let near: InMemoryGroupBackend
  private let before: @Sendable (String) async throws -> Void
  var limits: BackendLimits { near.limits }

  init(_ near: InMemoryGroupBackend, before: @escaping @Sendable (String) async throws -> Void) {
    (self.near, self.before) = (near, before)
  }

  func acquire(_ name: String, owner: OwnerID, for duration: Duration) async throws -> Lease? {
    try await before(name)
    return try await near.acquire(name, owner: owner, for: duration)
  }

  func apply(
    _ suite: SuiteID, _ changes: [Mutation], require: [Condition], fence: Lease?, quietly: Bool
  ) async throws -> Int64 {
    try await near.apply(suite, changes, require: require, fence: fence, quietly: quietly)
  }

  func delta(_ suite: SuiteID, after revision: Int64, of store: StoreID?) async throws -> SuiteDelta {
    try await near.delta(suite, after: revision, of: store)
  }
  func watch(_ suite: SuiteID, after revision: Int64, of store: StoreID?) -> SuiteWatcher {
    near.watch(suite, after: revision, of: store)
  }
  func get(_ suite: SuiteID, _ key: String) async throws -> Versioned? { try await near.get(suite, key) }
  func snapshot(_ suite: SuiteID) async throws -> SuiteState { try await near.snapshot(suite) }
  func loudRevision(_ suite: SuiteID) async throws -> Int64 { try await near.loudRevision(suite) }
  func identity() async throws -> StoreID { try await near.identity() }
  func holder(of name: String) async throws -> LeaseHolder { try await near.holder(of: name) }
  func renew(_ lease: Lease, for duration: Duration) async throws -> Bool { try await near.renew(lease, for: duration) }
  func release(_ lease: Lease) async throws { try await near.release(lease) }
}
