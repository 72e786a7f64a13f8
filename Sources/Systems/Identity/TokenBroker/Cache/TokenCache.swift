internal import Cryptography
internal import EventLoop
internal import Files
internal import SharedFiles
internal import Text
internal import Synchronization
import Time

/// The tokens of one application in a file: encrypted, readable by its owner alone, replaced whole, and changed by one
/// process at a time.
///
/// A file that is damaged is moved aside and reported. One that another key opens is left alone, and is an error.
package final class TokenCache: Sendable {
  private struct State {
    var stamp: FileStamp?
    var contents: UnifiedCache?
    var key: CacheKey?
  }

  /// The folder of the cache, created on the first write.
  package let folder: String
  /// The source of the key that encrypts the file.
  package let keySource: CacheKeySource
  let report: @Sendable (_ sentence: String) -> Void
  private let state = Mutex(State())

  /// The time that the cache waits for another process to release the lock of the file.
  static let patience: Duration = .seconds(20)

  /// Creates a cache; reads no file.
  ///
  /// - Parameters:
  ///   - folder: a folder that the application owns; the first write creates the folder.
  ///   - key: the source of the key that encrypts the file.
  ///   - report: receives one sentence when a damaged file was renamed.
  package init(
    folder: String, key: CacheKeySource = .besideCache, report: @escaping @Sendable (_ sentence: String) -> Void
  ) {
    (self.folder, keySource, self.report) = (folder, key, report)
  }

  /// The path of the encrypted file.
  package var path: String { "\(folder)/tokens" }
  var keyPath: String { "\(folder)/tokens.key" }
  private var newPath: String { "\(folder)/.tokens-new" }
  private var lockPath: String { "\(folder)/tokens.lock" }

  // MARK: Reading

  /// The identity and change time of the file now; nil when there is no file.
  var stamp: FileStamp? { FileStamp(path) }

  /// The contents from the last read while the file is unchanged, else nil. Costs one `stat`.
  package var current: UnifiedCache? {
    let stamp = FileStamp(path)
    return state.withLock { state in
      guard state.stamp == stamp else { return nil }
      if stamp == nil { return UnifiedCache() }
      return state.contents
    }
  }

  /// Returns the contents of the file.
  ///
  /// - Throws: `AuthError`, `cacheUnusable` or `busy`.
  package func contents() async throws(AuthError) -> UnifiedCache {
    if let current { return current }
    let first = await onThread { Result { () throws(AuthError) in try self.read() } }
    if let found = try first.get() { return found }
    // It is damaged, or was just now replaced: what is there under the lock counts.
    return try await change { _ in }.after
  }

  /// Reads and changes the file while no other process does.
  ///
  /// - Parameter body: changes what was read; nothing is written when it throws, or changes nothing.
  /// - Returns: what the body returned, and what the file holds now.
  /// - Throws: what the body throws, and `AuthError`, `cacheUnusable` or `busy`.
  @discardableResult
  package func change<Value: Sendable>(
    _ body: @escaping @Sendable (inout UnifiedCache) throws(AuthError) -> Value
  ) async throws(AuthError) -> (value: Value, after: UnifiedCache) {
    try make(folder)
    let lock = try await take(lockPath)
    let result = await onThread { Result { () throws(AuthError) in try self.changeLocked(body) } }
    lock.unlock()
    return try result.get()
  }

  /// Prevents every other process from spending the refresh token of an account until the lock is released.
  func lockForRefresh(_ identity: CacheIdentity) async throws(AuthError) -> FileLock {
    try make(folder)
    return try await take("\(folder)/\(Self.lockName(of: identity))")
  }

  private func take(_ path: String) async throws(AuthError) -> FileLock {
    do throws(FileError) { return try await FileLock.take(path, within: Self.patience) } catch {
      throw AuthError(error.kind == .locked ? .busy : .cacheUnusable, error.message, recovery: error.recovery)
    }
  }

  private func make(_ folder: String) throws(AuthError) {
    do throws(FileError) { try Folder.make(folder) } catch { throw AuthError(error) }
  }

  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await SystemThread.run(name: "token-cache", work)
  }

  // MARK: On the thread

  /// - Returns: `nil` when it is damaged.
  private func read() throws(AuthError) -> UnifiedCache? {
    let stamp = FileStamp(path)
    guard let bytes = try privateBytes(path, limit: SealedCache.limit) else {
      remember(UnifiedCache(), stamp: nil)
      return UnifiedCache()
    }
    let known = try key(making: false)
    do throws(SealedCache.Fault) {
      let contents = try SealedCache.open(bytes, key: known)
      // A file that was replaced meanwhile has another stamp, and is read again.
      remember(contents, stamp: stamp)
      return contents
    } catch {
      if error == .damaged { return nil }
      if error == .newer {
        throw AuthError(
          .cacheUnusable, "\(path) was made by a newer version of annex.",
          recovery: "Update annex, or use another state folder with --home DIR.")
      }
      // The key may have been replaced together with the file.
      state.withLock { $0.key = nil }
      if try key(making: false) != known { return try read() }
      throw AuthError(
        .cacheUnusable, "\(path) was encrypted with another key than \(keySource.summary).",
        recovery: "Give the key it was made with, or move the file away and sign in again.")
    }
  }

  private func changeLocked<Value>(
    _ body: (inout UnifiedCache) throws(AuthError) -> Value
  ) throws(AuthError) -> (Value, UnifiedCache) {
    removeLeftovers()
    // A key that was moved away with its file is not used again.
    if FileStamp(path) == nil { state.withLock { $0.key = nil } }
    let before: UnifiedCache
    if let current {
      before = current
    } else if let found = try read() {
      before = found
    } else {
      before = try setAside()
    }
    var after = before
    let value = try body(&after)
    guard after != before else { return (value, after) }
    let key = try key(making: true)
    do {
      try File.replace(path, with: try SealedCache.seal(after, key: key), beginning: newPath, isDurable: true)
    } catch {
      throw AuthError(
        .cacheUnusable, "The tokens cannot be kept: \(error)", recovery: "Make space, and check the folder \(folder).")
    }
    remember(after, stamp: FileStamp(path))
    return (value, after)
  }

  private func setAside() throws(AuthError) -> UnifiedCache {
    guard let aside = File.setAside(path, as: "damaged", at: UnixTime.now.fileStamp) else {
      throw AuthError(.cacheUnusable, "\(path) is damaged and cannot be moved: \(SystemError.last).")
    }
    report("The tokens in \(path) were damaged. The file is now \(aside); who was signed in has to sign in again.")
    remember(UnifiedCache(), stamp: nil)
    return UnifiedCache()
  }

  private func remember(_ contents: UnifiedCache, stamp: FileStamp?) {
    state.withLock { ($0.contents, $0.stamp) = (contents, stamp) }
  }

  /// Removes the temporary file of a process that was killed during a write.
  private func removeLeftovers() {
    for name in Folder.names(in: folder) where name.hasPrefix(".tokens-new.") { File.remove("\(folder)/\(name)") }
  }

  // MARK: The key

  private func key(making: Bool) throws(AuthError) -> CacheKey {
    if let known = state.withLock({ $0.key }) { return known }
    let key = try loadKey(making: making)
    state.withLock { $0.key = key }
    return key
  }

  private func loadKey(making: Bool) throws(AuthError) -> CacheKey {
    switch keySource {
    case .bytes(let key): return key
    case .file(let path):
      guard let bytes = try privateBytes(path, limit: 4_096, followsLink: true) else {
        throw AuthError(
          .cacheUnusable, "There is no key file \(quotable(path)).", recovery: "Make a file of 32 random bytes there.")
      }
      return try Self.key(bytes, path)
    case .besideCache:
      if let bytes = try privateBytes(keyPath, limit: 4_096) { return try Self.key(bytes, keyPath) }
      guard making, FileStamp(path) == nil, let key = CacheKey.random() else {
        throw AuthError(
          .cacheUnusable, "\(keyPath), which opens \(path), is gone.",
          recovery: "Put the key back, or move the tokens away and sign in again.")
      }
      do { try File.replace(keyPath, with: key.bytes, beginning: newPath, isDurable: true) } catch {
        throw AuthError(error)
      }
      return key
    }
  }

  private static func key(_ bytes: [UInt8], _ path: String) throws(AuthError) -> CacheKey {
    if let key = CacheKey(bytes) { return key }
    throw AuthError(
      .cacheUnusable, "\(quotable(path)) holds no key: it has \(bytes.count) bytes.",
      recovery: "A key is 32 random bytes, or 64 hexadecimal digits.")
  }

  private func privateBytes(
    _ path: String, limit: Int, followsLink: Bool = false
  ) throws(AuthError) -> [UInt8]? {
    do throws(FileError) { return try File.readPrivate(path, limit: limit, followsLink: followsLink) } catch {
      throw AuthError(error)
    }
  }
}

extension TokenCache {
  /// A name of letters and digits for any account and client.
  static func lockName(of identity: CacheIdentity) -> String {
    let text = [identity.account, identity.environment, identity.client].joined(separator: "\n")
    return "refresh-\(SHA256.hexadecimal(of: Array(text.utf8)).prefix(24)).lock"
  }
}

extension AuthError {
  init(_ error: FileError) { self.init(.cacheUnusable, error.message, recovery: error.recovery) }
}

/// The parts of an entity's key, as the server wrote them, before they are lowercased for keys.
struct CachePlace: Sendable, Equatable {
  /// The account's `home_account_id`.
  var account: String
  var environment: String
  var client: String
  /// The tenant, which the schema calls realm.
  var realm: String

  var identity: CacheIdentity { CacheIdentity(account: account, environment: environment, client: client) }
}
