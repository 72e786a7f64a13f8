import ConfigurationFiles
import Files
import Foundation
import JSON
import TestSupport
import Testing

@testable import TokenBroker

/// The key of the file of tokens: how it is read, and what becomes of it together with its file.
@Suite(.timeLimit(.minutes(1)))
struct `The key of a cache` {
  private let directory: TemporaryDirectory
  private let reports = Reports()
  private var folder: String { directory.file("tokens") }
  private var path: String { "\(folder)/tokens" }

  init() throws { directory = try TemporaryDirectory() }

  private func cache(_ key: CacheKeySource = .besideCache) -> TokenCache {
    let reports = reports
    return TokenCache(folder: folder, key: key) { reports.add($0) }
  }

  private func fill(_ cache: TokenCache, _ name: String) async throws {
    try await cache.change { $0.others = [name: true] }
  }

  private func names(_ cache: TokenCache) async throws -> [String] { try await cache.contents().others.map(\.key) }

  @Test func `is 32 bytes, or twice as many digits with or without one line break`() {
    let digits = String(repeating: "09afAF1e", count: 8)
    let bytes = (0..<8).flatMap { _ in [0x09, 0xAF, 0xAF, 0x1E] as [UInt8] }
    #expect(CacheKey(Array(digits.utf8))?.bytes == bytes && CacheKey(Array("\(digits)\n".utf8))?.bytes == bytes)
    for count in 31...33 { #expect((CacheKey([UInt8](repeating: 7, count: count)) != nil) == (count == 32)) }
    for text in [digits + "0", String(digits.dropLast()), "\(digits)\r\n", "\(digits)\n\n", "\(digits.dropLast())\n"] {
      #expect(CacheKey(Array(text.utf8)) == nil)
    }
    for wrong in "/:@G`g é" {
      #expect(CacheKey(Array((String(wrong) + digits).utf8.prefix(64))) == nil, "\(wrong)")
      #expect(CacheKey(Array(digits.utf8.dropLast()) + Array(String(wrong).utf8.prefix(1))) == nil, "\(wrong)")
    }
    #expect(CacheKey([UInt8](repeating: 1, count: 32)) != CacheKey([UInt8](repeating: 2, count: 32)))
  }

  @Test func `of a file may be behind a link, and the one beside the cache may not`() async throws {
    let digits = String(repeating: "a1", count: 32)
    let file = try File.write(Array(digits.utf8), beginning: directory.file("key"))
    let link = directory.file("link")
    #expect(symlink(file, link) == 0)
    try await fill(cache(.file(link)), "x")
    #expect(try await names(cache(.file(file))) == ["x"])
    try FileManager.default.removeItem(atPath: folder)
    try await fill(cache(), "y")
    #expect(rename("\(path).key", "\(path).real") == 0 && symlink("\(path).real", "\(path).key") == 0)
    await #expect(throws: AuthError.self) { try await cache().contents() }
  }

  @Test func `that was moved away with its file is not used for the next file`() async throws {
    let cache = cache()
    for name in ["first", "second", "third"] {
      try await fill(cache, name)
      #expect(try await names(self.cache()) == [name] && FileStatus("\(path).key") != nil)
      for file in [path, "\(path).key"] { #expect(rename(file, "\(file)-\(name)") == 0) }
      #expect(try await names(cache) == [])
    }
    #expect(reports.all.isEmpty)
  }

  @Test func `that was replaced together with its file is looked for again, each time`() async throws {
    let (one, other) = (cache(), cache())
    for name in ["first", "second", "third"] {
      try await fill(other, name)
      #expect(try await names(one) == [name])
      for file in [path, "\(path).key"] { #expect(rename(file, "\(file)-\(name)") == 0) }
    }
    // Only the file is from before.
    try await fill(other, "fourth")
    #expect(rename("\(path)-first", path) == 0)
    let error = await #expect(throws: AuthError.self) { try await one.contents() }
    #expect(error?.kind == .cacheUnusable && error?.message.contains("another key") == true)
  }

  @Test func `opens what it sealed, of this version only`() throws {
    let key = try #require(CacheKey([UInt8](repeating: 7, count: 32)))
    let other = try #require(CacheKey([UInt8](repeating: 8, count: 32)))
    var cache = UnifiedCache()
    cache.others = ["x": true]
    let sealed = try SealedCache.seal(cache, key: key)
    #expect(try SealedCache.open(sealed, key: key) == cache)
    #expect(throws: SealedCache.Fault.otherKey) { try SealedCache.open(sealed, key: other) }
    for (digit, fault) in [
      ("2", .newer), ("9", .newer), ("0", .damaged), (":", .damaged), ("a", .damaged),
    ] as [(Unicode.Scalar, SealedCache.Fault)] {
      var bytes = sealed
      bytes[7] = UInt8(ascii: digit)
      #expect(throws: fault) { try SealedCache.open(bytes, key: key) }
      bytes[0] ^= 1
      #expect(throws: SealedCache.Fault.damaged) { try SealedCache.open(bytes, key: key) }
    }
    for count in [0, 15, 16, sealed.count - 1] {
      #expect(throws: SealedCache.Fault.damaged) { try SealedCache.open(Array(sealed.prefix(count)), key: key) }
    }
  }

  @Test func `leaves a file alone that a newer version made`() async throws {
    try await fill(cache(), "x")
    var bytes = try File.read(path, limit: 1 << 20)
    bytes[7] = UInt8(ascii: "2")
    try File.replace(path, with: bytes)
    for _ in 0..<2 {
      let error = await #expect(throws: AuthError.self) { try await cache().contents() }
      #expect(error?.kind == .cacheUnusable && error?.message.contains("newer version") == true)
      await #expect(throws: AuthError.self) { try await fill(cache(), "y") }
    }
    #expect(try File.read(path, limit: 1 << 20) == bytes && reports.all.isEmpty)
  }

  @Test func `is no part of the name of an account's lock, which is its own`() {
    func name(_ account: String, _ environment: String, _ client: String) -> String {
      TokenCache.lockName(of: CacheIdentity(account: account, environment: environment, client: client))
    }
    let names = [("a", "b", "c"), ("ab", "", "c"), ("a", "bc", ""), ("b", "a", "c"), ("a", "b", "d")].map {
      name($0.0, $0.1, $0.2)
    }
    #expect(Set(names).count == names.count && names.allSatisfy { $0.utf8.count == 37 })
    #expect(name("A", "B", "C") == name("a", "b", "c"))
  }
}
