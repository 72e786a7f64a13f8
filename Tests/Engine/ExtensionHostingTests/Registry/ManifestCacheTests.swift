import Foundation
import PropertyList
import Testing
import Time

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `A cache of manifests` {
  private let folder: TemporaryFolder
  private let state: StateDirectory

  init() throws {
    folder = try TemporaryFolder()
    state = StateDirectory(path: "\(folder.path)/state")
  }

  private var file: String { "\(state.path)/cache/manifests" }

  private func manifest(_ index: Int, name: String = "Name") -> String {
    """
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>com.example.app\(index)</string>
    <key>CFBundleExecutable</key><string>app</string>
    <key>CFBundlePackageType</key><string>APPL</string>
    <key>CFBundleVersion</key><string>1</string>
    <key>CFBundleName</key><string>\(name)</string>
    <key>Unknown</key><integer>1</integer>
    </dict></plist>
    """
  }

  private func writeManifests(_ count: Int = 70) throws {
    try folder.writeExecutable("products/app")
    for index in 0..<count { try folder.write("Manifests/\(index).plist", manifest(index).utf8) }
  }

  /// Files that a test has just written count as settled.
  private func cache() -> ManifestCache { ManifestCache(state: state) { _ in true } }

  private func registry(_ cache: ManifestCache?, of name: String = "Manifests") -> ExtensionRegistry {
    var sources = RegistrySources(
      manifestFolders: [.init(path: "\(folder.path)/\(name)", products: "\(folder.path)/products")])
    sources.cache = cache
    return ExtensionRegistry(sources)
  }

  @Test func `gives what the files hold, whoever read them`() throws {
    try writeManifests()
    let plain = registry(nil)
    #expect(plain.entries.count == 70 && plain.entries[0].problems.first?.line == 7)
    let cache = cache()
    #expect(registry(cache).entries == plain.entries)
    #expect(registry(cache).entries == plain.entries)
    let size = try FileManager.default.attributesOfItem(atPath: file)
    #expect(size[.posixPermissions] as? Int == 0o600)
    #expect(registry(self.cache()).entries == plain.entries)
    // Not one of many: nothing but its place was needed of a manifest.
    #expect(try ManifestCacheFile([UInt8](Data(contentsOf: URL(fileURLWithPath: file)))).records.count == 70)
  }

  /// A cache in which every manifest has another name than in its file.
  private func writeFalseCache() throws {
    _ = registry(cache())
    let kept = try ManifestCacheFile([UInt8](Data(contentsOf: URL(fileURLWithPath: file))))
    var other = ManifestCacheFile()
    for (path, record) in kept.records {
      let node = try #require(ManifestArchive.node(record.archive))
      guard case .dictionary(var entries) = node.content else { continue }
      entries.removeAll { $0.key == "CFBundleName" }
      entries.append(.init("CFBundleName", PropertyListNode("Remembered")))
      var archive: [UInt8] = []
      ManifestArchive.append(PropertyListNode(.dictionary(entries), line: node.line), to: &archive)
      other.insert(path, .init(stamp: record.stamp, archive: archive[...]))
    }
    try Data(other.bytes).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
  }

  private func names(_ cache: ManifestCache?) -> Set<String> { Set(registry(cache).entries.map(\.displayName)) }

  @Test func `reads no manifest whose stamp is the same`() throws {
    try writeManifests()
    try writeFalseCache()
    #expect(names(cache()) == ["Remembered"])
    #expect(names(nil) == ["Name"])
  }

  @Test func `reads a manifest that changed, went or came`() throws {
    try writeManifests()
    try writeFalseCache()
    try folder.write("Manifests/0.plist", manifest(0, name: "Name2").utf8)
    let cache = cache()
    #expect(names(cache) == ["Remembered", "Name2"])
    try folder.write("Manifests/0.plist", manifest(0, name: "Name3").utf8)
    #expect(names(cache) == ["Remembered", "Name3"])
    try FileManager.default.removeItem(atPath: "\(folder.path)/Manifests/1.plist")
    try folder.write("Manifests/new.plist", manifest(100, name: "New").utf8)
    let after = registry(cache)
    #expect(after.entry("com.example.app1") == nil && after.entry("com.example.app100")?.displayName == "New")
    #expect(names(self.cache()) == ["Remembered", "Name3", "New"])
  }

  @Test func `applies what the sources say anew`() throws {
    try writeManifests()
    let cache = cache()
    _ = registry(cache)
    try FileManager.default.removeItem(atPath: "\(folder.path)/products/app")
    #expect(registry(cache).entries.allSatisfy { $0.state.name == "missing" })
  }

  @Test func `remembers nothing that could still change unseen`() throws {
    try writeManifests()
    var future = try #require(ManifestStamp("\(folder.path)/Manifests/0.plist")).numbers
    future[5] += 3600
    #expect(!ManifestStamp(numbers: future).isSettled)
    future[5] -= 7200
    #expect(ManifestStamp(numbers: future).isSettled)
    _ = registry(ManifestCache(state: state) { _ in false })
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `takes a file for settled after a tenth of a second, or after three where its times have no parts`() {
    /// The first answer that took less than 20 ms.
    func isSettled(_ times: (UnixTime) -> [Int64]) -> Bool {
      while true {
        let now = UnixTime.now
        let isSettled = ManifestStamp(numbers: [1, 2, 3, 4] + times(now)).isSettled
        if UnixTime.now.wholeNanoseconds - now.wholeNanoseconds < 20_000_000 { return isSettled }
      }
    }
    #expect(!isSettled { [1, $0.seconds, Int64($0.nanoseconds) - 50_000_000] })
    #expect(isSettled { [1, $0.seconds, Int64($0.nanoseconds) - 101_000_000] })
    for (contents, inode) in [(1, 1), (0, 1), (1, 0)] as [(Int64, Int64)] {
      #expect(isSettled { [contents, $0.seconds - 1, inode] })
      #expect(!isSettled { [contents, $0.seconds + 2, inode] })
    }
    #expect(!isSettled { [0, $0.seconds - 1, 0] })
    #expect(isSettled { [0, $0.seconds - 4, 0] })
  }

  @Test func `keeps in its file what others read, as long as that is the same`() throws {
    try writeManifests()
    for index in 0..<70 { try folder.write("Other/\(index).plist", manifest(200 + index).utf8) }
    func paths() throws -> Set<String> {
      let records = try ManifestCacheFile([UInt8](Data(contentsOf: URL(fileURLWithPath: file)))).records
      return Set(records.keys.map { String($0.dropFirst(folder.path.count + 1)) })
    }
    let own = Set((0..<70).map { "Manifests/\($0).plist" })
    let others = Set((0..<70).map { "Other/\($0).plist" })
    _ = registry(cache())
    #expect(try paths() == own)
    _ = registry(cache(), of: "Other")
    #expect(try paths() == own.union(others))
    try folder.write("Manifests/0.plist", manifest(0, name: "Name2").utf8)
    try FileManager.default.removeItem(atPath: "\(folder.path)/Manifests/1.plist")
    // Without news the file stays.
    _ = registry(cache(), of: "Other")
    #expect(try paths() == own.union(others))
    try folder.write("Other/0.plist", manifest(200, name: "Name2").utf8)
    _ = registry(cache(), of: "Other")
    #expect(try paths() == own.union(others).subtracting(["Manifests/0.plist", "Manifests/1.plist"]))
  }

  @Test func `keeps no file for a few manifests, and none without a folder`() throws {
    try writeManifests(ManifestCache.fewestForFile - 1)
    let plain = registry(nil)
    #expect(registry(cache()).entries == plain.entries)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(registry(ManifestCache()).entries == plain.entries)
  }

  @Test func `takes a file that is damaged anywhere for none`() throws {
    try writeManifests()
    _ = registry(cache())
    let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
    for position in stride(from: 0, to: whole.count, by: 97) {
      var bytes = whole
      bytes[position] ^= 0x10
      #expect(ManifestCacheFile(bytes).records.isEmpty)
      #expect(ManifestCacheFile(Array(whole.prefix(position))).records.isEmpty)
    }
    #expect(ManifestCacheFile(whole + [0]).records.isEmpty)
    try Data(whole.dropLast(9)).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    #expect(registry(cache()).entries == registry(nil).entries)
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: file))) == whole)
  }

  @Test func `takes a file that others may read, or a link, for none`() throws {
    try writeManifests()
    try writeFalseCache()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    #expect(names(cache()) == ["Name"])
    try writeFalseCache()
    try FileManager.default.moveItem(atPath: file, toPath: "\(file)2")
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "\(file)2")
    #expect(names(cache()) == ["Name"])
  }

  @Test func `is bounded`() {
    var file = ManifestCacheFile()
    let record = ManifestCacheFile.Record(stamp: ManifestStamp(numbers: [1, 2, 3, 4, 5, 6, 7]), archive: [1, 0])
    for index in 0..<ManifestCacheFile.maximumCount { file.insert("/\(index)", record) }
    #expect(!file.insert("/more", record) && file.records.count == ManifestCacheFile.maximumCount)
    var large = ManifestCacheFile()
    let long = ManifestCacheFile.Record(stamp: record.stamp, archive: ArraySlice(repeating: 0, count: 1 << 20))
    var count = 0
    while large.insert("/\(count)", long) { count += 1 }
    #expect(count == 31 && large.bytes.count <= ManifestCacheFile.maximumSize)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `An archive of a manifest` {
  private static let node = PropertyListNode(
    .dictionary([
      .init("text", PropertyListNode(.scalar("Grüße 👍"), line: 2)),
      .init("empty", PropertyListNode(.scalar(""), line: nil)),
      .init("number", PropertyListNode(.scalar(.integer(.min)), line: 70_000)),
      .init("real", PropertyListNode(.scalar(-0.5), line: 4)),
      .init("date", PropertyListNode(.scalar(.date(1e9)), line: 5)),
      .init("data", PropertyListNode(.scalar(.data([0, 255, 128])), line: 6)),
      .init(
        "list",
        PropertyListNode(
          .array([PropertyListNode(.scalar(true), line: 7), PropertyListNode(.scalar(false), line: 8)]), line: 7)),
      .init("none", PropertyListNode(.dictionary([]), line: 9)),
    ]), line: 1)

  @Test func `gives back what was put in, with the lines`() {
    var bytes: [UInt8] = []
    ManifestArchive.append(Self.node, to: &bytes)
    #expect(ManifestArchive.node(bytes[...]) == Self.node)
  }

  @Test func `cut or damaged anywhere is something else or nothing`() {
    var whole: [UInt8] = []
    ManifestArchive.append(Self.node, to: &whole)
    for length in whole.indices { #expect(ManifestArchive.node(whole.prefix(length)) == nil) }
    for index in whole.indices {
      for change: UInt8 in [0x01, 0x80, 0xFF] {
        var bytes = whole
        bytes[index] ^= change
        _ = ManifestArchive.node(bytes[...])
      }
    }
  }

  @Test func `is not nested without end`() {
    let bytes = Array(repeatElement([7, 0, 1] as [UInt8], count: 5_000).joined()) + [3, 0]
    #expect(ManifestArchive.node(bytes[...]) == nil)
  }
}
