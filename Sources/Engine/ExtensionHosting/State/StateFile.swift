import EventLoop
package import ExtensionProtocol
package import Files
import Glibc
import JSON
internal import SharedFiles
import Time

/// One small file of a host's state, which several hosts may use at once: read whole, replaced whole, changed under a
/// lock.
///
/// - A change waits for the lock on a thread of its own and for a limited time; the caller's executor is never blocked.
/// - A file is at most ``limit`` bytes long, whichever program wrote it.
/// - A file that cannot be parsed is *damaged*. It is set aside, so that its contents are kept, and reported; the type
///   of the contents decides what replaces it. A file that cannot be read, or that another version of the host wrote,
///   stays in its place, is reported, and is not overwritten.
package struct StateFile<Content: StateContent>: Sendable {
  /// What becomes of a damaged file.
  package enum DamageRule: Sendable {
    /// It is moved aside and reported, and a new one begins.
    case setAside
    /// The file stays, and every use is refused until it is repaired: for decisions that must not be lost silently.
    case refuse
  }

  /// The largest file, in bytes.
  package static var limit: Int { 4 << 20 }

  /// The absolute path of the file.
  package let path: String
  /// What messages call it, for example `The record of permissions`.
  let name: String
  /// The path of the file that is locked for a change.
  let lockPath: String
  let damageRule: DamageRule
  /// What follows from a file that cannot be used, one sentence for the log.
  let consequence: String
  /// Whether a change that was made survives a crash of the machine. That costs a wait for the disk, on another thread.
  let isDurable: Bool
  /// How long a change waits for another process that has the lock.
  let timeout: Duration
  let log: any LogSink

  /// Creates a file of the state; nothing is read.
  ///
  /// - Parameters:
  ///   - path: the absolute path of the file.
  ///   - name: the name of the file in messages, with a capital letter.
  ///   - lockPath: the file that is locked for a change; beside the file when absent.
  ///   - damage: what happens to a damaged file.
  ///   - consequence: what follows from a file that cannot be used, in one sentence for the log.
  ///   - isDurable: whether a change survives a crash of the machine, which takes a wait for the disk.
  ///   - timeout: how long a change waits for another process.
  ///   - log: receives a warning when the file cannot be read.
  package init(
    path: String, name: String, lockPath: String? = nil, damage: DamageRule = .setAside,
    consequence: String = "It begins anew.", isDurable: Bool = false, timeout: Duration = .seconds(5),
    log: any LogSink = NoLog()
  ) {
    self.path = path
    self.name = name
    self.lockPath = lockPath ?? "\(path).lock"
    damageRule = damage
    self.consequence = consequence
    self.isDurable = isDurable
    self.timeout = timeout
    self.log = log
  }

  /// When the file was last changed, as something to compare; `nil` without a file.
  package var stamp: FileStamp? { FileStamp(path) }

  // MARK: Reading

  /// What the file was found to be.
  private enum Look {
    case absent
    case content(Content)
    /// With what is wrong.
    case damaged(String)
    /// It may be well, but is not to be had.
    case unavailable(ExtensionError)
  }

  private func look() -> Look {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try File.read(path, limit: Self.limit, followsLink: false)
    } catch {
      switch error.kind {
      case .system(SystemError(ENOENT)), .system(SystemError(ENOTDIR)): return .absent
      case .tooLarge: return .damaged(error.message)
      default:
        return .unavailable(ExtensionError(.storeFailed, "\(name) \(path): \(error.message)", recovery: error.recovery))
      }
    }
    do {
      return .content(try Content(parsing: bytes))
    } catch let error as LaterFormat {
      return .unavailable(
        ExtensionError(
          .storeFailed,
          "\(name) \(path) was made by a newer version: it has format \(error.found), and this host reads format "
            + "\(error.known).",
          recovery: "Update annex, or use another state folder with --home DIR.",
          details: ["format": .integer(Int64(clamping: error.found))]))
    } catch {
      return .damaged("It holds no such record (\(error)).")
    }
  }

  /// Returns the contents of the file; `nil` when there is no file or it cannot be used, which is reported.
  package func read() -> Content? {
    switch look() {
    case .absent: return nil
    case .content(let content): return content
    case .unavailable(let error):
      report(error.message)
      return Content.afterDamage(StateDamage(message: error.message))
    case .damaged(let why): return settleDamage(why)
    }
  }

  /// What the file holds; `nil` when there is none.
  ///
  /// - Throws: `storeFailed` when it cannot be read, or is damaged and such files are refused.
  package func load() throws(ExtensionError) -> Content? {
    switch look() {
    case .absent: return nil
    case .content(let content): return content
    case .unavailable(let error): throw error
    case .damaged(let why):
      if damageRule == .refuse { throw refusal(why) }
      return settleDamage(why)
    }
  }

  // MARK: Changing

  /// Reads, changes and replaces the file under its lock. After a crash the file holds the old contents or the new
  /// ones.
  ///
  /// - Parameters:
  ///   - empty: the contents to change when there is no file.
  ///   - body: changes the contents; when it changes nothing, nothing is written.
  /// - Returns: the result of the body.
  /// - Throws: `storeFailed` when the file cannot be read or written, with `retryable` in the details when another
  ///   process holds the lock for too long; the error of the body. Nothing has changed then.
  @discardableResult
  package func change<Result>(
    or empty: Content, _ body: (inout Content) throws(ExtensionError) -> Result
  ) async throws(ExtensionError) -> Result {
    let lock = try await lock()
    let outcome: Swift.Result<Result, ExtensionError>
    do throws(ExtensionError) {
      outcome = .success(try await changeLocked(empty, body))
    } catch {
      outcome = .failure(error)
    }
    lock.unlock()
    return try outcome.get()
  }

  /// Replaces the file without reading it. The last writer wins, and none waits.
  ///
  /// - Throws: `storeFailed`; the file is then unchanged.
  package func replace(with content: Content) async throws(ExtensionError) {
    do throws(FileError) {
      try Folder.make(Folder.parent(of: path))
    } catch {
      throw ExtensionError(error)
    }
    try await write(content)
  }

  private func lock() async throws(ExtensionError) -> FileLock {
    do throws(FileError) {
      try StateReserve.lending(to: path) { () throws(FileError) in
        try Folder.make(Folder.parent(of: path))
        // Made once, and then there for every change.
        if FileStatus(lockPath) == nil { _ = try FileLock.attempt(lockPath) }
      }
      return try await FileLock.take(lockPath, within: timeout)
    } catch {
      throw ExtensionError(error)
    }
  }

  private func changeLocked<Result>(
    _ empty: Content, _ body: (inout Content) throws(ExtensionError) -> Result
  ) async throws(ExtensionError) -> Result {
    let before: Content?
    switch look() {
    case .absent: before = nil
    case .content(let content): before = content
    case .unavailable(let error): throw error
    case .damaged(let why):
      if damageRule == .refuse { throw refusal(why) }
      before = replaceDamaged(why)
    }
    var content = before ?? empty
    let result = try body(&content)
    if content != before ?? empty { try await write(content) }
    return result
  }

  private func write(_ content: Content) async throws(ExtensionError) {
    let bytes = try bytes(of: content)
    do throws(FileError) {
      let path = path
      guard isDurable else {
        return try StateReserve.lending(to: path) { () throws(FileError) in try File.replace(path, with: bytes) }
      }
      let outcome: Swift.Result<Void, FileError> = await SystemThread.run(name: "state-file") {
        do throws(FileError) {
          return .success(
            try StateReserve.lending(to: path) { () throws(FileError) in
              try File.replace(path, with: bytes, isDurable: true)
            })
        } catch {
          return .failure(error)
        }
      }
      try outcome.get()
    } catch {
      throw ExtensionError(error)
    }
  }

  private func bytes(of content: Content) throws(ExtensionError) -> [UInt8] {
    let bytes: [UInt8]
    do {
      bytes = try content.fileBytes
    } catch {
      throw ExtensionError(.storeFailed, "Cannot write \(path): \(error)")
    }
    guard bytes.count <= Self.limit else {
      throw ExtensionError(
        .storeFailed, "Cannot write \(path): it would have \(bytes.count) bytes, and \(Self.limit) are read.")
    }
    return bytes
  }

  // MARK: Damage

  /// Sets the damaged file aside, unless another process is changing it, which then does the same.
  ///
  /// - Returns: the contents that apply now.
  private func settleDamage(_ why: String) -> Content? {
    let found = StateDamage(message: "\(name) \(path) is damaged. \(why)")
    let lock = try? FileLock.attempt(lockPath)
    guard damageRule == .setAside, let lock else {
      report(found.message)
      return Content.afterDamage(found)
    }
    let content: Content?
    if case .damaged(let why) = look() {
      content = replaceDamaged(why)
    } else {
      content = if case .content(let content) = look() { content } else { nil }
    }
    lock.unlock()
    return content
  }

  /// Moves the damaged file aside, and stores what applies now, so that later readers report the damage too. The caller
  /// has the lock.
  private func replaceDamaged(_ why: String) -> Content? {
    let content = setAside(why)
    if let content, let bytes = try? bytes(of: content) { try? File.replace(path, with: bytes) }
    return content
  }

  /// Moves the damaged file aside; the caller has the lock.
  private func setAside(_ why: String) -> Content? {
    var damage = StateDamage(message: "\(name) \(path) is damaged. \(why)")
    damage.setAside = File.setAside(path, as: "damaged", at: UnixTime.now.fileStamp)
    if let aside = damage.setAside { damage.message += " It was moved to \(aside)." }
    report(damage.message)
    return Content.afterDamage(damage)
  }

  private func report(_ message: String) {
    log.log(.error, "\(message) \(consequence)", metadata: ["file": .string(path)])
  }

  private func refusal(_ why: String) -> ExtensionError {
    ExtensionError(
      .storeFailed, "\(name) \(path) is damaged. \(why)",
      recovery: "Restore \(path) from a copy, or move it away to begin a new one.")
  }
}

extension ExtensionError {
  /// What could not be done with a file of the host's state, or for an extension.
  package init(_ error: FileError, recovery: String? = nil) {
    self.init(.storeFailed, error.message, recovery: recovery ?? error.recovery)
    if error.kind == .locked { details["retryable"] = .bool(true) }
  }
}
