import ConfigurationFiles
import Files
import Foundation
import JSON
import TestSupport
import Testing

@testable import TokenBroker

@Suite(.timeLimit(.minutes(2)))
struct `The file of the tokens` {
  private let directory: TemporaryDirectory
  private let reports = Reports()
  private var folder: String { directory.file("deep/tokens") }
  private var path: String { "\(folder)/tokens" }

  init() throws { directory = try TemporaryDirectory() }

  private func cache(_ key: CacheKeySource = .besideCache) -> TokenCache {
    let reports = reports
    return TokenCache(folder: folder, key: key) { reports.add($0) }
  }

  private func fill(_ cache: TokenCache, _ secret: String) async throws {
    let text = """
      {"RefreshToken": {"a-e-refreshtoken-c--": {"secret": "\(secret)", "home_account_id": "a", "environment": "e",
      "client_id": "c"}}}
      """
    let contents = try UnifiedCache(json: Array(text.utf8))
    try await cache.change { $0 = contents }
  }

  private func secret(_ cache: TokenCache) async throws -> String? {
    try await cache.contents().refreshTokens.first?.secret.revealed()
  }

  private func mode(_ path: String) -> UInt32? { FileStatus(path).map { $0.mode & 0o777 } }

  @Test func `is not there before somebody signs in, and nothing is made for a look`() async throws {
    #expect(try await cache().contents() == UnifiedCache())
    #expect(FileStatus(folder) == nil)
  }

  @Test func `is readable by its owner alone, holds no token in clear, and is read by another process`() async throws {
    try await fill(cache(), "the-secret")
    #expect(try await secret(cache()) == "the-secret")
    #expect(mode(path) == 0o600 && mode("\(path).key") == 0o600 && mode(folder) == 0o700)
    let bytes = try File.read(path, limit: 1 << 20)
    #expect(bytes.starts(with: Array("ANNEXTC1".utf8)))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("the-secret") && !text.contains("RefreshToken"))
  }

  @Test func `is another one each time, and seen at once by who has read the old one`() async throws {
    let (one, two) = (cache(), cache())
    try await fill(one, "first")
    #expect(try await secret(two) == "first")
    #expect(two.current != nil)
    try await fill(one, "second")
    #expect(two.current == nil)
    #expect(try await secret(two) == "second")
  }

  /// Somebody who writes may be stopped in the middle of it.
  @Test func `is read while another process has the lock, and nothing of that one's is touched`() async throws {
    try await fill(cache(), "x")
    let leftover = "\(folder)/.tokens-new.abc"
    try File.replace(leftover, with: [1])
    guard let lock = try FileLock.attempt("\(folder)/tokens.lock") else {
      Issue.record("Somebody has the lock already.")
      return
    }
    #expect(try await secret(cache()) == "x")
    #expect(FileStatus(leftover) != nil)
    lock.unlock()
    try await fill(cache(), "y")
    #expect(FileStatus(leftover) == nil)
  }

  @Test func `cannot be used where its lock cannot be made, which is not that somebody has it`() async throws {
    try await fill(cache(), "x")
    let lock = "\(folder)/tokens.lock"
    unlink(lock)
    #expect(mkdir(lock, 0o700) == 0)
    let error = await #expect(throws: AuthError.self) { try await fill(cache(), "y") }
    #expect(error?.kind == .cacheUnusable, "\(String(describing: error))")
    #expect(rmdir(lock) == 0)
    try await fill(cache(), "y")
    #expect(try await secret(cache()) == "y")
  }

  @Test func `is refused when others may read it`() async throws {
    try await fill(cache(), "x")
    for file in [path, "\(path).key"] {
      #expect(chmod(file, 0o640) == 0)
      let error = await #expect(throws: AuthError.self) { try await cache().contents() }
      #expect(error?.kind == .cacheUnusable)
      #expect(error?.message.contains("640") == true && error?.recovery.contains("600") == true)
      #expect(chmod(file, 0o600) == 0)
    }
    #expect(try await secret(cache()) == "x")
  }

  @Test func `is no link`() async throws {
    try await fill(cache(), "x")
    #expect(rename(path, "\(path)-real") == 0 && symlink("\(path)-real", path) == 0)
    await #expect(throws: AuthError.self) { try await cache().contents() }
  }

  @Test(arguments: [0, 7, 8, 15, 16, 20, 40, -1]) func `is set aside and reported when a byte of it was changed`(
    at place: Int
  ) async throws {
    try await fill(cache(), "x")
    var bytes = try File.read(path, limit: 1 << 20)
    bytes[place < 0 ? bytes.count - 1 : place] ^= 1
    try File.replace(path, with: bytes)
    // The name of the key is in bytes 8 to 15: with another one the file is somebody's still.
    if (8..<16).contains(place) {
      let error = await #expect(throws: AuthError.self) { try await cache().contents() }
      #expect(error?.message.contains("another key") == true)
      #expect(reports.all.isEmpty && FileStatus(path) != nil)
      return
    }
    #expect(try await cache().contents() == UnifiedCache())
    let aside = Folder.names(in: folder).filter { $0.hasPrefix("tokens.damaged-") }
    #expect(aside.count == 1 && reports.all.count == 1)
    #expect(reports.all.first?.contains(aside.first ?? "?") == true)
    #expect(try File.read("\(folder)/\(aside[0])", limit: 1 << 20) == bytes)
    try await fill(cache(), "y")
    #expect(try await secret(cache()) == "y")
    #expect(FileStatus("\(folder)/\(aside[0])") != nil)
  }

  @Test(arguments: [0, 1, 15, 16, 43]) func `is set aside when it was cut`(count: Int) async throws {
    try await fill(cache(), "x")
    try File.replace(path, with: Array(try File.read(path, limit: 1 << 20).prefix(count)))
    #expect(try await cache().contents() == UnifiedCache())
    #expect(reports.all.count == 1)
  }

  @Test func `stays as it is when its key is gone or another one`() async throws {
    try await fill(cache(), "x")
    let bytes = try File.read(path, limit: 1 << 20)
    #expect(rename("\(path).key", "\(path).hidden") == 0)
    let error = await #expect(throws: AuthError.self) { try await cache().contents() }
    #expect(error?.kind == .cacheUnusable)
    await #expect(throws: AuthError.self) { try await fill(cache(), "y") }
    let other = try #require(CacheKey.random())
    await #expect(throws: AuthError.self) { try await cache(.bytes(other)).contents() }
    await #expect(throws: AuthError.self) { try await fill(cache(.bytes(other)), "y") }
    #expect(try File.read(path, limit: 1 << 20) == bytes)
    #expect(rename("\(path).hidden", "\(path).key") == 0)
    #expect(try await secret(cache()) == "x")
    #expect(reports.all.isEmpty)
  }

  @Test func `has the key of a file or of a descriptor, of bytes or of hexadecimal digits`() async throws {
    let file = directory.file("key")
    let digits = String(repeating: "0aF9", count: 16)
    let made = try File.write(Array((digits + "\n").utf8), beginning: file)
    try await fill(cache(.file(made)), "x")
    #expect(FileStatus("\(path).key") == nil)
    let key = try #require(CacheKey(Array(digits.utf8)))
    #expect(CacheKey(key.bytes) == key && key.bytes.count == 32)
    #expect(try await secret(cache(.bytes(key))) == "x")
    for bad in [[], [1], Array(digits.dropLast().utf8), Array("\(digits)  ".utf8)] as [[UInt8]] {
      #expect(CacheKey(bad) == nil)
    }
    await #expect(throws: AuthError.self) { try await cache(.file(file + "-none")).contents().self }
    #expect("\(key)" == "<redacted>")
  }

  @Test func `is not written when nothing changed, or the change failed`() async throws {
    let cache = cache()
    try await fill(cache, "x")
    let stamp = FileStamp(path)
    try await cache.change { _ in }
    await #expect(throws: AuthError.self) {
      try await cache.change { (contents) throws(AuthError) in
        contents = UnifiedCache()
        throw AuthError.cancelled
      }
    }
    #expect(FileStamp(path) == stamp)
  }

  @Test func `is changed by many at a time without a loss`() async throws {
    let caches = [cache(), cache(), cache()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<30 {
        group.addTask {
          try await caches[number % 3].change { contents in
            contents.others["\(number)"] = true
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await cache().contents().others.count == 30)
    #expect(Folder.names(in: folder).sorted() == ["tokens", "tokens.key", "tokens.lock"])
  }

  @Test func `is the old or the new one when its writer is killed, and nothing else is left`() async throws {
    let cache = cache()
    var killed = 0
    let (folder, path) = (folder, path)
    for round in 0..<20 {
      let wasKilled = try await onThread { () throws -> Bool in
        let before = FileStamp(path)
        let worker = try WorkerProcess("TokenWorker", ["write", folder])
        // Any moment will do, once it writes.
        while FileStamp(path) == before { sched_yield() }
        let moment = ContinuousClock.now + .microseconds(round * 200)
        while ContinuousClock.now < moment { sched_yield() }
        worker.kill()
        return worker.wait() == -SIGKILL
      }
      if wasKilled { killed += 1 }
      let tokens = try await cache.contents().refreshTokens
      #expect(tokens.isEmpty || tokens.count == 2 && tokens[0].secret == tokens[1].secret)
    }
    #expect(killed == 20)
    #expect(reports.all.isEmpty)
    #expect(try await !cache.contents().refreshTokens.isEmpty)
    try await fill(cache, "x")
    #expect(Folder.names(in: folder).sorted() == ["tokens", "tokens.key", "tokens.lock"])
  }
}
