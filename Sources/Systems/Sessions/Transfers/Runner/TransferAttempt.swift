internal import EventLoop
internal import Files
internal import Glibc
internal import HTTPClient

/// Works on one task until it has ended, must wait, or is stopped.
struct TransferAttempt: Sendable {
  let live: LiveTransfer
  let journal: TransferJournal
  let client: HTTPClient
  let options: TransferRunner.Options
  /// Shared by all transfers of the runner.
  let limit: HTTPRateLimit?
  /// Stores a record in the journal, and returns when it is durable.
  let keep: @Sendable (TransferRecord) async -> Void

  private static let maximumRedirects = 20
  /// The most bytes of a body that are read only to be discarded.
  private static let uselessBytes: Int64 = 16 << 20
  /// Files from this size on are marked before they are moved, so that they are not fetched twice.
  private static let markedBytes: Int64 = 4 << 20

  private var folder: JournalFolder { journal.folder }

  /// - Returns: what became of the task; `nil` when it was stopped from outside, or cannot be worked on now.
  func run() async -> TransferOutcome? {
    while true {
      let part = live.record.part
      var file = part.flatMap { folder.open($0.name, forWriting: true) }
      let stored = file?.size
      switch live.change({ $0.start(at: journal.options.now(), stored: stored) }) {
      case .wait: return TransferOutcome(record: live.record)
      case .fail(let failure): return outcome(of: live.change { $0.fail(failure) })
      case .hasMoved: return outcome(of: live.change { $0.completed() })
      case .move:
        guard let file else { return nil }
        return await finish(file)
      case .request(let offset):
        if offset == 0 { file = nil }
        if let file, ftruncate(file.descriptor, off_t(offset)) != 0 {
          return outcome(of: live.change { $0.fail(TransferFailure(writing: .last)) })
        }
        switch await attempt(file, offset: offset) {
        case .startOver: continue
        case .move(let file): return await finish(file)
        case .outcome(let outcome): return outcome
        case .none: return nil
        }
      }
    }
  }

  private enum Result {
    case startOver
    case move(OpenFile)
    case outcome(TransferOutcome)
  }

  private func outcome(of step: TransferMachine.Step) -> TransferOutcome? {
    var record = live.record
    switch step {
    case .end(let state, let news):
      record.state = state
      return TransferOutcome(record: record, news: news)
    case .backOff(let news): return TransferOutcome(record: record, news: news)
    case .startOver, .move, .leave: return nil
    }
  }

  /// Sends one request and follows its redirects.
  private func attempt(_ file: OpenFile?, offset: Int64) async -> Result? {
    let record = live.record
    if let destination = record.destination, !FinishedFile.isDestination(destination) {
      let failure = TransferFailure(
        .cannotCreateFile, "\(destination) is not a place in the shared container.",
        recovery: "Name a relative path without `..`.")
      return outcome(of: live.change { $0.fail(failure) }).map(Result.outcome)
    }
    switch await options.fence(live.session) {
    case .open: break
    case .closed(let failure): return outcome(of: live.change { $0.fail(failure) }).map(Result.outcome)
    case .unknown:
      let step = live.change { $0.postpone(at: journal.options.now(), random: options.random()) }
      return outcome(of: step).map(Result.outcome)
    }
    var target: OpenFile?
    var source: OpenFile?
    var room: Int64?
    switch record.kind {
    case .download:
      do throws(TransferFailure) { room = try await options.room(live.session, record) } catch {
        return outcome(of: live.change { $0.fail(error) }).map(Result.outcome)
      }
      do throws(TransferError) { target = if let file { file } else { try await journal.makeFile() } } catch {
        let failure = TransferFailure(.cannotCreateFile, error.description, recovery: error.recovery)
        return outcome(of: live.change { $0.fail(failure) }).map(Result.outcome)
      }
    case .upload:
      source = record.source.flatMap { folder.open($0, forWriting: false) }
      guard source != nil else {
        let failure = TransferFailure(
          .fileDoesNotExist, "The copy of the file is gone.", recovery: "Add the task again.")
        return outcome(of: live.change { $0.fail(failure) }).map(Result.outcome)
      }
    }
    var plan = RedirectPlan(record, machineHeaders(offset))
    while true {
      let permission = await options.rules(live.session, record, plan.request.url)
      if case .refused(let failure) = permission {
        discard(target, unless: file)
        return outcome(of: live.change { $0.fail(failure) }).map(Result.outcome)
      }
      if case .allowed(let reaches) = permission {
        plan.request.allowedReaches = reaches
        // A server of this machine or its networks shall know that an extension asks.
        plan.request.headers[FetchMark.field] = (reaches ?? [.global]) == [.global] ? nil : "1"
      }
      let answer = await exchange(plan, target, source, offset: offset, room: room)
      do throws(TransferFailure) {
        if case .whole = answer.end, let response = answer.response, try plan.follow(response) {
          guard plan.hops <= Self.maximumRedirects else {
            throw TransferFailure(
              .tooManyRedirects, "There were more than \(Self.maximumRedirects) redirects.",
              recovery: "Check the server.")
          }
          continue
        }
      } catch {
        discard(target, unless: file)
        return outcome(of: live.change { $0.fail(error) }).map(Result.outcome)
      }
      return await result(of: answer, target, offset: offset)
    }
  }

  private func machineHeaders(_ offset: Int64) -> HTTPFields {
    var headers = live.change { $0.headers(offset: offset, additional: live.session.configuration.additionalHeaders) }
    let record = live.record
    if record.kind == .upload, headers[TransferRecord.idempotencyField] == nil {
      headers[TransferRecord.idempotencyField] = record.idempotencyKey(in: live.session)
    }
    return headers
  }

  private func exchange(
    _ plan: RedirectPlan, _ target: OpenFile?, _ source: OpenFile?, offset: Int64, room: Int64?
  ) async -> HTTPFileOutcome {
    let progress = HTTPProgress()
    let now = journal.options.now()
    let size = source?.size
    let body =
      plan.sendsBody
      ? source.flatMap { file in
        size.map { HTTPFileRequest.Source(descriptor: file.descriptor, count: $0) }
      } : nil
    var request = HTTPFileRequest(plan.request, source: body, progress: progress) { [live] head in
      live.change { machine in
        switch (machine.body(of: head, offset: offset), target) {
        case (.append, let target?):
          machine.isRunning()
          return .file(descriptor: target.descriptor, offset: offset)
        case (.fresh, let target?):
          machine.begin(part: target.name, with: head, at: now)
          return .file(descriptor: target.descriptor, offset: 0)
        case (.nowhere, _): return .nowhere(limit: Self.uselessBytes)
        case (.refused, _), (_, nil): return .refused
        }
      }
    }
    request.request.timeout = live.change { $0.record.deadline.left(at: now) }
    request.stall = live.session.configuration.timeoutForRequest
    request.limit = limit
    request.room = room
    live.begin(progress, offset: source == nil ? offset : 0, file: target)
    if source != nil { live.change { $0.isRunning() } }
    let sent = request
    return await live.untilStopped { [client] in
      // The files stay open until the exchange has ended.
      defer { withExtendedLifetime((target, source)) {} }
      return await client.exchange(sent)
    }
  }

  private func result(of answer: HTTPFileOutcome, _ target: OpenFile?, offset: Int64) async -> Result? {
    if let refusal = live.refusal {
      discard(target)
      return outcome(of: live.change { $0.fail(refusal) }).map(Result.outcome)
    }
    _ = live.record
    let step = live.change { $0.ended(answer, offset: offset, at: journal.options.now(), random: options.random()) }
    let isKept = target.map { $0.name == live.change { $0.record.part?.name } } ?? false
    if !isKept { discard(target) }
    switch step {
    case .startOver: return .startOver
    case .move: return target.map(Result.move)
    case .leave:
      // The journal knows nothing of this file when the task was cancelled.
      if live.isStopped { discard(target) }
      guard !live.isStopped, let target, isKept else { return nil }
      await synchronize(target)
      return .outcome(TransferOutcome(record: live.record))
    case .backOff:
      if let target, isKept { await synchronize(target) }
      return outcome(of: step).map(Result.outcome)
    case .end:
      discard(target)
      return outcome(of: step).map(Result.outcome)
    }
  }

  /// Returns the reason a complete file may not be moved into the container; `nil` when it may.
  private func refusal(of file: OpenFile) async -> TransferFailure? {
    do throws(TransferFailure) {
      guard let room = try await options.room(live.session, live.record), (file.size ?? .max) > room else { return nil }
      return TransferFailure(writing: SystemError(EDQUOT))
    } catch {
      return error
    }
  }

  private func discard(_ file: OpenFile?, unless kept: OpenFile? = nil) {
    if let file, file !== kept { folder.remove(file.name) }
  }

  /// Flushes the received bytes to the disk.
  private func synchronize(_ file: OpenFile) async {
    guard let bytes = live.change({ $0.record.part?.bytes }) else { return }
    let done = await SystemThread.run(name: "transfer-sync") { fdatasync(file.descriptor) == 0 }
    if done { live.isDurable(upTo: bytes) }
  }

  /// Checks a file that is whole, and moves it to where it belongs.
  private func finish(_ file: OpenFile) async -> TransferOutcome? {
    live.finish()
    let record = live.record
    let user: FileUser?
    do throws(TransferFailure) { user = try await options.user(live.session) } catch {
      discard(file)
      return outcome(of: live.change { $0.fail(error) })
    }
    let finished = FinishedFile(
      descriptor: file.descriptor, path: folder.path(of: file.name), task: record.id, user: user)
    let checksum = record.sha256
    let container = live.session.container
    guard let destination = record.destination else { return nil }
    // Others may have filled the container meanwhile.
    if let refusal = await refusal(of: file) {
      discard(file)
      return outcome(of: live.change { $0.fail(refusal) })
    }
    let isMarked = record.bytesDone >= Self.markedBytes
    let check = { @Sendable in finished.synchronize() ?? checksum.flatMap { finished.check(sha256: $0) } }
    let move = { @Sendable in
      defer { withExtendedLifetime(file) {} }
      return finished.move(to: destination, in: container)
    }
    // A small file is checked and moved in one go.
    let (found, hasMoved) = await SystemThread.run(name: "transfer-check") { [live] in
      let failure = check()
      if failure != nil || isMarked || live.isStopped { return (failure, false) }
      return (move(), true)
    }
    var failure = found
    if !hasMoved, live.isStopped {
      discard(file)
      guard let refusal = live.refusal else { return nil }
      return outcome(of: live.change { $0.fail(refusal) })
    }
    if failure == nil, !hasMoved {
      await keep(
        live.change {
          $0.isMoving()
          return $0.record
        })
      // It may have been stopped meanwhile. The journal knows of the file now, and removes it with the end of the task.
      if live.isStopped { return live.refusal.flatMap { refusal in outcome(of: live.change { $0.fail(refusal) }) } }
      failure = await SystemThread.run(name: "transfer-move", move)
    }
    if let failure { return outcome(of: live.change { $0.fail(failure) }) }
    return outcome(of: live.change { $0.completed() })
  }
}
