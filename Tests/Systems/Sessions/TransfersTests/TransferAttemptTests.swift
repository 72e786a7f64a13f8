import CLinux
import EventLoop
import Files
import Foundation
import HTTPClient
import Synchronization
import TestSupport
import Testing

@testable import Transfers

/// One attempt of a task, from its start to what becomes of it.
@Suite(.timeLimit(.minutes(1)))
struct `An attempt of a transfer` {
  private static let marked = 4 << 20
  private let place: RunnerPlace

  init() throws { place = try RunnerPlace() }

  /// What a test and the options of an attempt know of it.
  private final class Knowledge: Sendable {
    let live = Mutex<LiveTransfer?>(nil)
    let kept = Mutex<[TransferRecord]>([])
  }

  /// A download that is begun by hand, without anybody who runs transfers.
  private func attempt(
    _ url: String, _ knowledge: Knowledge, _ options: TransferRunner.Options? = nil
  ) async throws -> TransferAttempt {
    try await place.open()
    let id = try await place.download(url)
    let (record, session) = (try await place.journal.task(id), try await place.journal.session(place.key))
    let live = LiveTransfer(try #require(record), of: try #require(session), server: "")
    knowledge.live.withLock { $0 = live }
    return TransferAttempt(
      live: live, journal: place.journal, client: place.client, options: options ?? place.options(), limit: nil,
      keep: { record in knowledge.kept.withLock { $0.append(record) } })
  }

  @Test(arguments: [(marked - 1, 0), (marked, 1)])
  func `marks a file of 4 MiB before it is moved, and no smaller one`(count: Int, marks: Int) async throws {
    let body = [UInt8](repeating: 7, count: count)
    let server = try FaultyServer { request, _ in .file(body, tag: "\"1\"", for: request) }
    defer { server.stop() }
    let knowledge = Knowledge()
    let outcome = try await attempt(server.url, knowledge).run()
    #expect(outcome?.record.state == .completed && outcome?.news.map(\.kind) == [.didFinishDownloading, .didComplete])
    let kept = knowledge.kept.withLock { $0.map(\.part) }
    #expect(kept.count == marks && kept.allSatisfy { $0?.isMoving == true && $0?.total == Int64(count) })
    let isWhole = place.content() == body
    #expect(isWhole && place.journals.files.isEmpty)
  }

  @Test func `is through with a large file as with a small one`() async throws {
    let body = [UInt8](repeating: 7, count: Self.marked)
    let server = try FaultyServer { request, _ in .file(body, tag: "\"1\"", for: request) }
    defer { server.stop() }
    try await place.open()
    for name in ["a", "b"] { try await place.download(server.url, to: name) }
    try await place.runAll()
    let isWhole = ["a", "b"].map { place.content($0) == body }
    #expect(isWhole == [true, true] && place.journals.files.isEmpty)
  }

  private static let taken = TransferFailure(domain: "test", code: 7, "Taken away.", recovery: "Ask.")

  @Test(arguments: [10, marked], [nil, taken])
  func `moves nothing of a task that was stopped when its file was whole`(count: Int, refusal: TransferFailure?)
    async throws
  {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: [UInt8](repeating: 7, count: count)) }
    defer { server.stop() }
    let knowledge = Knowledge()
    var options = place.options()
    options.user = { (_) async throws(TransferFailure) -> FileUser? in
      knowledge.live.withLock { $0 }?.stop(refusal)
      return nil
    }
    let outcome = try await attempt(server.url, knowledge, options).run()
    #expect(
      outcome?.news == refusal.map { [TransferNews(.didComplete, response: outcome?.news[0].response, error: $0)] })
    #expect(outcome?.record.state == (refusal == nil ? nil : .failed))
    #expect(place.content() == nil && place.journals.files.isEmpty)
    #expect(knowledge.kept.withLock { $0.isEmpty })
  }

  @Test(arguments: [nil, taken])
  func `moves nothing of a task that was stopped while its large file was marked`(refusal: TransferFailure?)
    async throws
  {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: [UInt8](repeating: 7, count: Self.marked)) }
    defer { server.stop() }
    let made = try await attempt(server.url, Knowledge())
    let marking = TransferAttempt(
      live: made.live, journal: made.journal, client: made.client, options: made.options, limit: nil,
      keep: { _ in made.live.stop(refusal) })
    let outcome = await marking.run()
    #expect(outcome?.record.state == (refusal == nil ? nil : .failed))
    #expect(outcome?.news.count == (refusal == nil ? nil : 1) && outcome?.news.last?.error == refusal)
    #expect(place.content() == nil)
  }

  @Test func `has on the disk what came before the connection broke`() async throws {
    let body = pattern(1_000)
    let server = try FaultyServer { request, _ in
      var reply = FaultyServer.Reply.file(body, tag: "\"1\"", for: request)
      (reply.length, reply.cut) = (body.count, 500)
      return reply
    }
    defer { server.stop() }
    let outcome = try await attempt(server.url, Knowledge()).run()
    let part = outcome?.record.part
    #expect(outcome?.record.state == .backingOff && part?.bytes == 500 && part?.durableBytes == 500)
    #expect(place.journals.files == [part?.name])
  }

  @Test func `leaves nothing on the disk of what cannot go on`() async throws {
    let server = try FaultyServer { _, _ in
      FaultyServer.Reply(headers: [("ETag", "\"1\"")], body: pattern(200_000), length: 200_000)
    }
    defer { server.stop() }
    // The files that were there when it was asked how much room there is.
    let files = Mutex<[Int]>([])
    var options = place.options()
    options.room = { [place] _, _ in
      files.withLock { $0.append(place.journals.files.count) }
      return 150_000
    }
    let outcome = try await attempt(server.url, Knowledge(), options).run()
    #expect(outcome?.record.state == .failed && outcome?.news.map(\.kind) == [.didComplete])
    #expect(files.withLock { $0 } == [0] && place.journals.files.isEmpty && place.content() == nil)
  }

  @Test func `has on the disk what came before it was left, and says nothing`() async throws {
    let server = try FaultyServer { _, _ in
      FaultyServer.Reply(headers: [("ETag", "\"1\"")], body: pattern(500), length: 1_000, isSilent: true)
    }
    defer { server.stop() }
    let knowledge = Knowledge()
    let attempt = try await attempt(server.url, knowledge)
    let run = Task { await attempt.run() }
    while attempt.live.record.bytesDone != 500, !Task.isCancelled { await Task.yield() }
    run.cancel()
    let outcome = await run.value
    #expect(outcome?.news == [] && outcome?.record.state == .running && outcome?.record.part?.durableBytes == 500)
    #expect(place.journals.files == [outcome?.record.part?.name])
  }

  @Test func `is written down once the journal can be written again`() async throws {
    try await place.open()
    // Whoever holds the first byte of this file writes.
    let gate = open("\(place.journals.folder)/transfers.sqlite.gate", O_RDWR | O_CLOEXEC)
    try #require(gate >= 0)
    defer { close(gate) }
    let server = try FaultyServer { _, _ in
      while clinux_try_lock_byte(gate, 0, 1) != 0 { sched_yield() }
      return FaultyServer.Reply(body: [1, 2, 3])
    }
    defer { server.stop() }
    try await place.download(server.url)
    var journalOptions = TransferJournal.Options(folder: place.journals.folder)
    journalOptions.timeout = .milliseconds(10)
    journalOptions.now = { [clock = place.journals.clock] in clock.now }
    let journal = TransferJournal(journalOptions)
    var options = place.options()
    let pauses = Pauses()
    options.sleep = { [loop = place.loop] duration in
      guard duration == .seconds(1) else { return try await loop.sleep(for: duration) }
      if pauses.next() == 3 { _ = clinux_unlock_byte(gate, 0) }
      try await loop.sleep(for: .milliseconds(1))
    }
    let runner = TransferRunner(journal, client: place.client, options: options)
    let run = Task { try await runner.run() }
    while true {
      let count = journal.changes.count
      if try await journal.unfinishedIDs().isEmpty { break }
      try await journal.changes.wait(past: count)
    }
    run.cancel()
    _ = await run.result
    #expect(pauses.count >= 3 && place.content() == [1, 2, 3])
    #expect(try await place.events().map(\.kind) == [.didFinishDownloading, .didComplete])
  }

  private final class Pauses: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }

    func next() -> Int {
      state.withLock {
        $0 += 1
        return $0
      }
    }
  }
}

/// The files of a journal, each under its lock.
@Suite(.timeLimit(.minutes(1)))
struct `The folder of a journal` {
  private let directory: TemporaryDirectory
  private var folder: JournalFolder { JournalFolder(path: directory.path) }

  init() throws {
    directory = try TemporaryDirectory()
    try folder.make()
  }

  /// How many descriptors of this process are of a file, which may have no name any more.
  private func descriptors(of name: String) -> Int {
    let path = folder.path(of: name)
    return OpenFiles.below(folder.path).count { $0 == path || $0 == "\(path) (deleted)" }
  }

  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(of: name)) }

  @Test func `opens its own files alone`() throws {
    _ = try directory.write("abc", to: "files/a")
    #expect(symlink("a", folder.path(of: "link")) == 0 && mkfifo(folder.path(of: "pipe"), 0o600) == 0)
    #expect(mkdir(folder.path(of: "folder"), 0o700) == 0)
    for forWriting in [true, false] {
      #expect(folder.open("a", forWriting: forWriting)?.size == 3)
      for name in ["none", "link", "pipe", "folder"] {
        #expect(folder.open(name, forWriting: forWriting) == nil && descriptors(of: name) == 0, "\(name)")
      }
    }
    #expect(descriptors(of: "a") == 0)
  }

  @Test func `removes what nobody needs and nobody has open, and leaves no descriptor`() throws {
    for _ in 0..<2 {
      let made = try folder.create()
      _ = try directory.write("abc", to: "files/read")
      _ = try directory.write("abc", to: "files/written")
      for name in ["needed", "left"] { _ = try directory.write("", to: "files/\(name)") }
      do {
        let open = [folder.open("read", forWriting: false), folder.open("written", forWriting: true), made]
        for _ in 0..<2 {
          folder.sweep(except: ["needed"])
          let names = [made.name, "read", "written"]
          #expect(names.allSatisfy { exists($0) && descriptors(of: $0) == 1 })
          #expect(exists("needed") && !exists("left") && descriptors(of: "left") == 0)
        }
        #expect(open.allSatisfy { $0 != nil })
      }
      folder.sweep(except: ["needed", made.name])
      #expect(exists("needed") && exists(made.name) && !exists("read") && !exists("written"))
    }
    folder.sweep(except: [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/files").isEmpty)
  }

  @Test(arguments: [0, 16 << 20, (16 << 20) + 1]) func `removes a file of any size at once`(size: Int) async throws {
    let file = try folder.create()
    #expect(ftruncate(file.descriptor, off_t(size)) == 0)
    folder.remove(file.name)
    #expect(!exists(file.name))
    // The blocks of a large one are freed on another thread.
    while descriptors(of: file.name) > 1, !Task.isCancelled { await Task.yield() }
    #expect(descriptors(of: file.name) == 1 && file.size == Int64(size))
    folder.remove(file.name)
  }

  @Test func `keeps so much, where nothing else is said`() {
    let limits = JournalLimits()
    #expect(limits.sessionsPerApp == 64 && limits.tasksPerSession == 1_000 && limits.sourceBytesPerApp == 64 << 30)
    #expect(limits.requestBytes == 64 << 10 && limits.pages == 65_536)
    let options = TransferJournal.Options(folder: "f")
    #expect(options.timeout == .seconds(5) && options.pollInterval == .seconds(1))
    #expect(options.path == "f/transfers.sqlite")
  }
}
