internal import EventLoop
internal import Files
package import HTTPClient

/// Runs the transfers of a journal. Only one process at a time does.
package actor TransferRunner {
  /// The journal whose transfers are run.
  package nonisolated let journal: TransferJournal
  /// The options that the runner was created with.
  package nonisolated let options: Options
  private let client: HTTPClient
  private let limit: HTTPRateLimit?
  /// Signals a change that the runner must look at.
  private let news = Signal()
  /// Signals that the outbox has something to write.
  private let outboxNews = Signal()
  /// Signals that outcomes were written.
  private let kept = Signal()

  private var waiting: [Int64: TransferRecord] = [:]
  private var active: [Int64: LiveTransfer] = [:]
  /// The server of each waiting or active task.
  private var servers: [Int64: String] = [:]
  private var sessions: [SessionKey: SessionRecord] = [:]
  private var lastID: Int64 = 0
  private var version: [Int64] = []
  /// Whether the journal may be another one than that of the tasks here.
  private var isJournalNew = false
  private var outbox: [TransferOutcome] = []
  /// How many outcomes were ever put into the outbox, and how many of them are durable.
  private var (queued, durable) = (0, 0)
  /// Tasks that have ended here and are not yet stored as ended.
  private var settling: Set<Int64> = []

  /// Creates a runner; ``run()`` starts it.
  package init(_ journal: TransferJournal, client: HTTPClient, options: Options) {
    (self.journal, self.client, self.options) = (journal, client, options)
    limit = options.maximumBytesPerSecond.map { HTTPRateLimit(bytesPerSecond: $0) }
  }

  /// How many tasks are active, and how many wait.
  package var load: (active: Int, waiting: Int) { (active.count, waiting.count) }

  /// Runs until the task is cancelled, and then writes the progress of unfinished transfers, so that they can resume.
  ///
  /// - Throws: `runsElsewhere` when another process runs the transfers of this journal; what the journal throws when it
  ///   cannot be opened.
  package func run() async throws(TransferError) {
    _ = try await journal.sessions()
    let lock: FileLock
    do throws(FileError) {
      guard let taken = try FileLock.attempt("\(journal.options.folder)/runner.lock") else {
        throw FileError(.locked, "")
      }
      lock = taken
    } catch {
      throw error.kind == .locked ? .runsElsewhere(journal.options.folder) : .file(error)
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.forwardChanges() }
      group.addTask { await self.writeDown() }
      group.addTask { await self.checkpoints() }
      await work(&group)
      group.cancelAll()
      await group.waitForAll()
    }
    await flush()
    lock.unlock()
  }

  /// Asks the rules again for every task that is run here. A task that is no longer permitted fails.
  package func recheck() async {
    for (_, live) in active {
      let record = live.record
      if case .refused(let failure) = await options.rules(live.session, record, record.request.url) {
        live.stop(failure)
      }
    }
    for (id, record) in waiting {
      guard let session = sessions[record.session], runsHere(session) else { continue }
      guard case .refused(let failure) = await options.rules(session, record, record.request.url),
        waiting.removeValue(forKey: id) != nil
      else { continue }
      var machine = TransferMachine(record)
      guard case .end(let state, let news) = machine.fail(failure) else { continue }
      var ended = record
      ended.state = state
      settling.insert(id)
      put(TransferOutcome(record: ended, news: news))
    }
  }

  // MARK: Which transfers run

  private func work(_ group: inout TaskGroup<Void>) async {
    while !Task.isCancelled {
      let count = news.count
      do throws(TransferError) {
        try await refresh()
      } catch {
        // A journal that cannot be read now may be readable later.
        if (try? await options.sleep(.seconds(1))) == nil { return }
        continue
      }
      let due = launch(into: &group)
      await wait(past: count, atMost: due)
    }
  }

  /// Reads which tasks other processes have added and cancelled.
  private func refresh() async throws(TransferError) {
    let now = try await journal.outsideVersion()
    isJournalNew = isJournalNew || now.last != version.last
    guard now != version || isJournalNew else { return }
    sessions = Dictionary(try await journal.sessions().map { ($0.key, $0) }) { $1 }
    let alive = try await journal.unfinishedIDs()
    for (id, live) in active where !alive.contains(id) { live.stop() }
    for id in waiting.keys where !alive.contains(id) { (waiting[id], servers[id]) = (nil, nil) }
    // The numbers of its tasks are unrelated to those of the journal before it, which have to be gone.
    if isJournalNew, active.isEmpty, waiting.isEmpty, settling.isEmpty { (lastID, isJournalNew) = (0, false) }
    for record in try await journal.unfinished(after: lastID) {
      lastID = max(lastID, record.id)
      if active[record.id] == nil, !settling.contains(record.id) { waiting[record.id] = record }
    }
    version = now
  }

  /// Starts the transfers that may run now.
  ///
  /// - Returns: the longest time until the next look; `nil` when no transfer waits for time to pass.
  private func launch(into group: inout TaskGroup<Void>) -> Duration? {
    let now = journal.options.now()
    var due: Duration?
    func look(after pause: Duration) { due = min(due ?? pause, pause) }
    var isBusy = active.values.contains { !$0.session.configuration.isDiscretionary }
    var patient: [TransferRecord] = []
    for id in waiting.keys.sorted() {
      guard let record = waiting[id], let session = sessions[record.session], runsHere(session) else { continue }
      // Most of many tasks only wait for another to end.
      if record.notBefore == nil, !hasRoom(for: record, session) {
        if !session.configuration.isDiscretionary { isBusy = true }
        continue
      }
      let left = min(record.notBefore?.left(at: now) ?? .zero, record.deadline.left(at: now))
      if left > .zero {
        look(after: left)
      } else if session.configuration.isDiscretionary, record.deadline.left(at: now) > .zero {
        patient.append(record)
      } else {
        isBusy = true
        start(record, session, into: &group)
      }
    }
    guard !patient.isEmpty else { return due }
    if !isBusy, options.isQuiet() {
      for record in patient { if let session = sessions[record.session] { start(record, session, into: &group) } }
    } else if !isBusy {
      look(after: .seconds(30))
    }
    for record in patient where waiting[record.id] != nil { look(after: record.deadline.left(at: now)) }
    return due
  }

  /// Whether a session is of the machine whose sessions are run. The rules of this one do not know those of others.
  private func runsHere(_ session: SessionRecord) -> Bool { session.machine == options.machine ?? session.machine }

  private func server(of record: TransferRecord) -> String {
    if let server = servers[record.id] { return server }
    let server = HTTPOrigin(url: record.request.url)?.description ?? ""
    servers[record.id] = server
    return server
  }

  private func hasRoom(for record: TransferRecord, _ session: SessionRecord) -> Bool {
    guard active.count < options.maximumConcurrent else { return false }
    let server = server(of: record)
    var (atServer, ofSession) = (0, 0)
    for live in active.values where live.server == server {
      atServer += 1
      if live.session.key == session.key { ofSession += 1 }
    }
    return atServer < options.maximumPerServer
      && ofSession < max(1, session.configuration.maximumConnectionsPerHost)
  }

  private func start(_ record: TransferRecord, _ session: SessionRecord, into group: inout TaskGroup<Void>) {
    guard hasRoom(for: record, session) else { return }
    let server = server(of: record)
    let live = LiveTransfer(record, of: session, server: server)
    waiting[record.id] = nil
    active[record.id] = live
    let attempt = TransferAttempt(
      live: live, journal: journal, client: client, options: options,
      limit: limit, keep: { await self.keep($0) })
    group.addTask {
      let outcome = await attempt.run()
      await self.ended(record.id, outcome)
    }
  }

  private func ended(_ id: Int64, _ outcome: TransferOutcome?) {
    active[id] = nil
    if let outcome {
      settling.insert(id)
      put(outcome)
    } else {
      servers[id] = nil
    }
    news.send()
  }

  /// Waits for news, or until the time has passed.
  private func wait(past count: UInt64, atMost due: Duration?) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [news] in try? await news.wait(past: count) }
      if let due {
        group.addTask { [options] in try? await options.sleepUntilDue(due) }
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func forwardChanges() async {
    var count = journal.changes.count
    while !Task.isCancelled {
      news.send()
      do { try await journal.changes.wait(past: count) } catch { return }
      count = journal.changes.count
    }
  }

  // MARK: What is written down

  private func put(_ outcome: TransferOutcome) {
    outbox.append(outcome)
    queued += 1
    outboxNews.send()
  }

  /// Returns when a record is durable, or when nothing more will be written.
  private func keep(_ record: TransferRecord) async {
    put(TransferOutcome(record: record))
    let number = queued
    while durable < number {
      let count = kept.count
      if durable >= number { return }
      do { try await kept.wait(past: count) } catch { return }
    }
  }

  private func writeDown() async {
    while !Task.isCancelled {
      let count = outboxNews.count
      if outbox.isEmpty {
        do { try await outboxNews.wait(past: count) } catch { return }
        continue
      }
      // The disk may have room again later; nothing is lost meanwhile.
      if await !flush(), (try? await options.sleep(.seconds(1))) == nil { return }
    }
  }

  /// Writes everything in the outbox in one commit.
  @discardableResult
  private func flush() async -> Bool {
    let batch = outbox
    outbox = []
    do throws(TransferError) {
      try await journal.keep(batch)
    } catch {
      outbox = batch + outbox
      return false
    }
    durable += batch.count
    var isWaiting = false
    for outcome in batch where settling.contains(outcome.record.id) {
      let isLast = !outbox.contains { $0.record.id == outcome.record.id }
      guard isLast, active[outcome.record.id] == nil else { continue }
      settling.remove(outcome.record.id)
      if outcome.record.state.isOver { servers[outcome.record.id] = nil }
      guard !outcome.record.state.isOver else { continue }
      waiting[outcome.record.id] = outcome.record
      isWaiting = true
    }
    kept.send()
    if isWaiting { news.send() }
    return true
  }

  /// Writes the progress of the transfers at regular intervals.
  private func checkpoints() async {
    while (try? await options.sleep(options.checkpointInterval)) != nil {
      for (_, live) in active {
        guard let checkpoint = live.checkpoint() else { continue }
        put(TransferOutcome(record: checkpoint.record))
        guard let file = checkpoint.file, let bytes = checkpoint.record.part?.bytes else { continue }
        if await SystemThread.run(name: "transfer-sync", { file.synchronize() }) { live.isDurable(upTo: bytes) }
      }
    }
  }
}
