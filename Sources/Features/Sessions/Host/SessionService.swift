import CLinux
public import Contracts
import EventLoop
public import ExtensionHosting
public import ExtensionProtocol
import Fetching
import Files
import Glibc
import GroupStore
import HostServices
import JSON
import Synchronization
package import Transfers
import Text

/// `session/…`: keeps the transfers that extensions and apps begin, and tells the owner of a session what becomes of them.
///
/// The transfers themselves are made by a ``TransferRunner`` in this process, or by a daemon that this service starts.
public final class SessionService: HostService {
  /// The methods that are served, those under `session/`.
  public typealias Contract = Sessions

  /// Which process runs the transfers.
  package enum Maker: Sendable {
    /// This process, while `ExtensionHost.run()` runs; the transfers resume when it runs again.
    case inProcess
    /// Another process, started when there are transfers and no process runs them.
    case daemon(start: @Sendable () throws -> Void)
  }

  let leases: SessionLeases
  let use = SessionUse()
  let rules: SessionRules
  let state: StateDirectory
  let loop: EventLoop
  let log: any LogSink
  private let host: HostReference
  private let maker: Maker
  private let opened = Mutex<TransferJournal?>(nil)
  /// Sent when the journal is used for the first time.
  private let wanted = Signal()
  /// The tasks that this host's processes begin while a caller waits for them.
  let followed = FollowedTasks()

  init(
    state: StateDirectory, store: SuiteStore, permissions: PermissionAuthority, points: ExtensionPointTable,
    host: HostReference, loop: EventLoop, maker: Maker = .inProcess, log: any LogSink = NoLog()
  ) {
    self.state = state
    self.host = host
    self.maker = maker
    self.loop = loop
    self.log = log
    leases = SessionLeases(store: store)
    rules = SessionRules(permissions: permissions, points: points, localServers: LocalServers(state))
  }

  /// Returns the folder of the journal in a state directory.
  package static func folder(in state: StateDirectory) -> String { "\(state.path)/transfers" }

  /// The journal of the state directory. Its thread and its file are created at the first use.
  package var journal: TransferJournal {
    let (journal, isFirst) = opened.withLock { opened in
      if let opened { return (opened, false) }
      let journal = TransferJournal(TransferJournal.Options(folder: Self.folder(in: state)))
      opened = journal
      return (journal, true)
    }
    if isFirst { wanted.send() }
    return journal
  }

  var hasJournal: Bool { FileStatus(Self.folder(in: state)) != nil }

  /// Answers the methods under `session/`.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(Sessions.Create.self) { params, caller in try await self.create(params, for: caller) }
    Handler(Sessions.DownloadTask.self) { params, caller in try await self.download(params, for: caller) }
    Handler(Sessions.UploadTask.self) { params, caller in try await self.upload(params, for: caller) }
    Handler(Sessions.Tasks.self) { params, caller in
      let key = try self.owned(params.sessionID, params.epoch, by: caller)
      let tasks = try await self.tasks(of: key)
      return Sessions.Tasks.Result(tasks: tasks.filter { params.taskID == nil || $0.taskID == params.taskID })
    }
    Handler(Sessions.CancelTask.self) { params, caller in
      let key = try self.owned(params.sessionID, params.epoch, by: caller)
      try await translatingTransferErrors { () throws(TransferError) in
        try await self.journal.cancel(params.taskID, of: key, epoch: params.epoch)
      }
      return Empty()
    }
    Handler(Sessions.FinishAndInvalidate.self) { params, caller in
      let key = try self.owned(params.sessionID, params.epoch, by: caller)
      try await translatingTransferErrors { () throws(TransferError) in
        try await self.journal.finishAndInvalidate(key, epoch: params.epoch)
      }
      return Empty()
    }
    Handler(Sessions.InvalidateAndCancel.self) { params, caller in
      let key = try self.owned(params.sessionID, params.epoch, by: caller)
      try await translatingTransferErrors { () throws(TransferError) in
        try await self.journal.invalidateAndCancel(key, epoch: params.epoch)
      }
      return Empty()
    }
    Handler(Sessions.EventsHandled.self) { params, caller in
      let key = Self.key(params.sessionID, caller)
      if self.use.handled(key, epoch: params.epoch, by: caller.instance) { return Empty() }
      // An app that has taken the session up itself has nothing to be done with.
      _ = try self.owned(params.sessionID, params.epoch, by: caller)
      return Empty()
    }
  }

  /// Runs the transfers, if this process does that.
  public func run() async throws {
    guard case .inProcess = maker else { return }
    if !hasJournal { try await wanted.wait(past: 0) }
    try await TransferDaemon(self) { [host] _ in try host.get() }.run(endingWhenIdle: false)
  }

  /// Renews the caller's leases, and tells it what becomes of its transfers.
  public func accompany(_ caller: Caller) async {
    await use.arrivals.accompany(caller.instance) { await self.attend($0, caller) }
  }

  /// Releases the caller's leases, so that the next owner can take over its sessions.
  public func callerDidExit(_ caller: Caller) async {
    let gone = use.forget(caller.instance)
    if gone.isEmpty || followed.take(gone, of: caller.instance) { return }
    for lease in gone { await leases.giveBack(lease) }
    await startIfNeeded()
  }

  // MARK: Sessions

  static func key(_ identifier: String, _ caller: Caller) -> SessionKey {
    SessionKey(app: caller.identity.containingApp, identifier: identifier)
  }

  /// The key of a session that the caller has.
  private func owned(_ identifier: String, _ epoch: Int64, by caller: Caller) throws(ExtensionError) -> SessionKey {
    let key = Self.key(identifier, caller)
    if let entry = use.entry(key, of: caller.instance), entry.epoch == epoch { return key }
    throw .disconnected(identifier, epoch, caller)
  }

  private func tasks(of key: SessionKey) async throws(ExtensionError) -> [Sessions.TaskStatus] {
    let records = try await records(of: key)
    let failures = try await failures(of: key)
    return records.map { Sessions.TaskStatus($0, error: failures[$0.id]) }
  }

  private func create(_ params: Sessions.Create, for caller: Caller) async throws -> Sessions.Create.Result {
    let identity = caller.identity
    let count = params.sessionID.utf8.count
    guard 1...Sessions.longestIdentifier ~= count, params.sessionID.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
    else {
      throw ExtensionError(
        .invalidParams,
        "A session's identifier has 1 to \(Sessions.longestIdentifier) bytes, and no control characters.")
    }
    guard let group = params.sharedContainerIdentifier else {
      throw ExtensionError.session(
        .requiresSharedContainer, "The session “\(params.sessionID)” names no container that its app shares.")
    }
    try caller.require(group: group)
    let configuration = try SessionConfiguration(params.configuration ?? Sessions.Configuration())
    let key = Self.key(params.sessionID, caller)
    let known = try await translatingTransferErrors { () throws(TransferError) in try await journal.session(key) }
    if let entry = use.entry(key, of: caller.instance) {
      if let known, known.state != .invalidated, known.epoch == entry.epoch {
        return Sessions.Create.Result(epoch: entry.epoch, tasks: try await tasks(of: key))
      }
      // The session of that epoch has ended; what is begun now is another one under its name.
      if use.end(key, epoch: entry.epoch, of: caller.instance) { await leases.giveBack(entry.lease) }
    }
    if let known, known.state != .invalidated, known.owner != identity.id {
      throw ExtensionError.session(
        .inUseByAnotherProcess, "The session “\(params.sessionID)” is \(known.owner)'s.")
    }
    if let known, known.state != .invalidated, known.group != group {
      throw ExtensionError(
        .invalidParams, "The session “\(params.sessionID)” was made with the container of \(known.group).",
        recovery: "Name that app group, or use another identifier.")
    }
    guard let lease = try await leases.take(key, for: caller.instance) else {
      throw ExtensionError.session(
        .inUseByAnotherProcess, "Another process has the session “\(params.sessionID)”.")
    }
    do {
      var record = SessionRecord(
        key: key, owner: identity.id, epoch: lease.token, of: try await leases.place(), group: group,
        container: try await state.groupFolder(group, for: caller), machine: Machine.name,
        configuration: configuration, manifests: try ManifestPlaces.texts(of: host.get().registry))
      record.state = known?.state == .finishing ? .finishing : .open
      let opened = record
      let epoch = try await translatingTransferErrors { () throws(TransferError) in
        try await leases.open(opened, in: journal)
      }.epoch
      let tasks = try await tasks(of: key)
      if tasks.contains(where: { !$0.state.isOver }) { await startIfNeeded() }
      use.begin(key, lease, epoch: epoch, caller.instance, isWoken: false)
      return Sessions.Create.Result(epoch: epoch, tasks: tasks)
    } catch {
      await leases.giveBack(lease)
      throw error
    }
  }

  // MARK: Tasks

  private func download(_ params: Sessions.DownloadTask, for caller: Caller) async throws -> Sessions.AddedTask {
    let key = try owned(params.sessionID, params.epoch, by: caller)
    let request = try request(params.request, "GET", ["GET", "POST"], for: caller)
    try Self.check(destination: params.destination)
    try await checkGroup(of: key, writes: true, for: caller)
    let draft = TransferDraft(
      request, .download(destination: params.destination), sha256: try Self.digest(params.sha256))
    return try await add(draft, to: key, params.epoch, for: caller)
  }

  private func upload(_ params: Sessions.UploadTask, for caller: Caller) async throws -> Sessions.AddedTask {
    let key = try owned(params.sessionID, params.epoch, by: caller)
    let request = try request(params.request, "PUT", ["PUT", "POST", "PATCH"], for: caller)
    let session = try await checkGroup(of: key, writes: false, for: caller)
    let descriptor = try open(params.file, container: session?.container, for: caller)
    defer { close(descriptor) }
    let draft = TransferDraft(
      request, .upload(descriptor: descriptor), sha256: try Self.digest(params.sha256))
    return try await add(draft, to: key, params.epoch, for: caller)
  }

  /// Looks whether the caller may still have its transfers in the app group of a session.
  @discardableResult
  private func checkGroup(of key: SessionKey, writes: Bool, for caller: Caller) async throws -> SessionRecord? {
    let session = try await translatingTransferErrors { () throws(TransferError) in try await journal.session(key) }
    guard let session else { return nil }
    let registry = try host.get().registry
    if let refusal = rules.refusal(ofGroup: session.group, writes: writes, for: caller.identity, in: registry) {
      throw refusal
    }
    if writes, case let folder = clinux_make_folder_beneath(session.container, "", caller.process.fileUser.rights) {
      guard folder >= 0 else {
        throw ExtensionError(
          .permissionDenied,
          "\(caller.identity.id) may not write in the container of \(session.group): "
            + "\(SystemError.last).",
          recovery: "Use an app group whose files are the app's own.", details: ["group": .string(session.group)])
      }
      close(folder)
    }
    return session
  }

  private func add(
    _ draft: TransferDraft, to key: SessionKey, _ epoch: Int64, for caller: Caller
  ) async throws(ExtensionError) -> Sessions.AddedTask {
    guard let lease = use.entry(key, of: caller.instance)?.lease else {
      throw .disconnected(key.identifier, epoch, caller)
    }
    // Copies of what is uploaded lie outside of the container, and have its ceiling once more.
    let ceiling = try copyCeiling(of: caller.identity.id)
    let id = try await translatingTransferErrors { () throws(TransferError) in
      // This process may have been stopped since it last heard of its lease.
      try await journal.add(draft, to: key, epoch: epoch, ceiling: ceiling) { [leases] () async throws(TransferError) in
        try await leases.confirm(lease, of: key)
      }
    }
    followed.began(id, by: caller.instance)
    await startIfNeeded()
    return Sessions.AddedTask(taskID: id)
  }

  private func copyCeiling(of id: String) throws(ExtensionError) -> Int64 {
    let configuration = try host.get().configuration
    return Int64(clamping: configuration.effectiveLimits(of: try configuration.registry.launchTarget(id)).containerSize)
  }

  private func request(
    _ asked: Sessions.Request, _ method: String, _ methods: [String], for caller: Caller
  ) throws(ExtensionError) -> TransferRequest {
    let method = asked.method ?? method
    guard methods.contains(method) else {
      throw ExtensionError(
        .invalidParams, "The method “\(method.prefix(40))” is not sent.",
        recovery: "Use \(methods.joined(separator: ", ")).")
    }
    let headers = try FetchPlan.fields(asked.headers ?? [:])
    if let refusal = rules.refusal(of: asked.url, for: caller.identity) { throw refusal }
    return TransferRequest(url: asked.url, method: method, headers: headers)
  }

  /// Opens what is uploaded: a file of the shared container, or of the scratch directory.
  private func open(
    _ file: String, container: String?, for caller: Caller
  ) throws(ExtensionError) -> Int32 {
    let name = caller.identity.displayName
    if let container, let part = file.part(below: container) {
      return try GrantedFile.open(part, in: container, as: caller.process.fileUser, from: name).descriptor
    }
    let scratch = try caller.process.scratchDirectory()
    return try GrantedFile.open(file.part(below: scratch) ?? file, in: scratch, as: caller.process.fileUser, from: name)
      .descriptor
  }

  private static func check(destination: String) throws(ExtensionError) {
    guard destination.utf8.count <= 1024, FinishedFile.isDestination(destination) else {
      throw ExtensionError(
        .invalidParams, "“\(destination.prefix(200))” is not a path below the shared container.",
        recovery: "Name the file by its path relative to the container, without “.” and “..”.")
    }
  }

  private static func digest(_ text: String?) throws(ExtensionError) -> String? {
    guard let text else { return nil }
    let lower = text.lowercased()
    guard lower.utf8.count == 64, lower.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { throw ExtensionError(.invalidParams, "A SHA-256 has 64 hexadecimal digits.") }
    return lower
  }

  // MARK: The daemon

  /// Starts a process that runs the transfers, if there is none.
  package func startIfNeeded() async {
    guard case .daemon(let start) = maker, !TransferDaemon.isRunning(in: state) else { return }
    do {
      try start()
    } catch {
      log.log(.error, "transfers wait for a daemon", metadata: ["error": .string("\(error)")])
    }
  }
}
