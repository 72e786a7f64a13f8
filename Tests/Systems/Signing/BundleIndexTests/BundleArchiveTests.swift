import BundleSeals
import Cryptography
import Foundation
import TestSupport
import Testing
import UpdateMetadata

@testable import BundleIndex

// The longest of its tests writes twenty thousand files, and a disk may be slow.
@Suite(.timeLimit(.minutes(5)))
struct `The archive of a bundle` {
  private let folder: TemporaryDirectory
  private var app: String { folder.file("Notes.app") }
  private var archive: String { folder.file("notes.tar") }
  private static let manifest = """
    <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.notes</string>
    <key>CFBundleVersion</key><string>1</string></dict></plist>
    """

  init() throws {
    folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: false)
  }

  private func write(_ path: String, _ text: String, mode: Int = 0o644) throws {
    let place = "\(app)/\(path)"
    try FileManager.default.createDirectory(
      atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: place, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place)
  }

  private func signed() throws -> BundleSeal {
    let now: Int64 = 1_800_000_000
    let (root, key) = (try Ed25519.PrivateKey.generate(), try Ed25519.PrivateKey.generate())
    let certificate = try KeyCertificate(key.publicKey, by: root, name: "Example", from: now, until: now + 9)
    return try #require(try BundleSeal.sign(app, with: key, certificate, at: now).last)
  }

  private func extract() throws -> String { try BundleArchive.extract(archive, to: folder.file("out")) }

  /// A header and its content, as a foreign program may write them.
  private func entry(
    _ name: String, _ kind: Character = "0", mode: Int = 0o644, size: Int? = nil, content: String = "",
    target: String = "", prefix: String = ""
  ) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, _ place: Int) {
      for (offset, byte) in text.utf8.enumerated() { block[place + offset] = byte }
    }
    put(String(name.prefix(100)), 0)
    put(String(format: "%07o", mode), 100)
    let octal = String(size ?? content.utf8.count, radix: 8)
    put(String(repeating: "0", count: 11 - octal.count) + octal, 124)
    put("        ", 148)
    put(String(kind), 156)
    put(target, 157)
    put("ustar\u{0}00", 257)
    put(prefix, 345)
    put(String(format: "%06o", block.reduce(0) { $0 + Int($1) }) + "\u{0}", 148)
    var body = Array(content.utf8)
    body += [UInt8](repeating: 0, count: (512 - body.count % 512) % 512)
    return block + body
  }

  private func refusal(of entries: [[UInt8]]) throws -> String? {
    let bytes = entries.flatMap(\.self) + [UInt8](repeating: 0, count: 1_024)
    try Data(bytes).write(to: URL(fileURLWithPath: archive))
    defer {
      try? FileManager.default.removeItem(atPath: folder.file("out"))
      try? FileManager.default.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: false)
    }
    do {
      _ = try extract()
      return nil
    } catch {
      return (error as? SealError)?.message
    }
  }

  @Test func `gives back every file, mode and link, and the seal`() throws {
    let long = String(repeating: "deep/", count: 20) + String(repeating: "n", count: 120)
    try write("Info.plist", Self.manifest)
    try write("run", String(repeating: "x", count: 5_000), mode: 0o755)
    try write("größe", "")
    try write("-first", "a name before the dot")
    try write(long, "long", mode: 0o600)
    try FileManager.default.createSymbolicLink(atPath: "\(app)/current", withDestinationPath: "run")
    try FileManager.default.createSymbolicLink(
      atPath: "\(app)/far", withDestinationPath: String(repeating: "./", count: 100) + "run")
    let seal = try signed()
    try BundleArchive.write(app, seal, to: archive)
    let out = try extract()
    #expect(out == "\(folder.file("out"))/Notes.app")
    #expect(try SealCheck(out, .init(time: 1_800_000_000)).state == .whole)
    // Any other tar reads it, too.
    let tar = Process()
    tar.executableURL = URL(fileURLWithPath: "/usr/bin/tar")
    tar.arguments = ["-C", folder.path, "-xf", archive, "--one-top-level=other"]
    try tar.run()
    tar.waitUntilExit()
    #expect(try SealCheck(folder.file("other/Notes.app"), .init(time: 1_800_000_000)).state == .whole)
    // The same bundle is the same bytes.
    try BundleArchive.write(out, seal, to: folder.file("again.tar"))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: archive))
        == Data(contentsOf: URL(fileURLWithPath: folder.file("again.tar"))))
  }

  /// Files are written in pieces of 1 MiB, and read in pieces of 256 KiB.
  @Test func `gives back a file of several pieces`() throws {
    let numbers = (0..<200_000).map { "\($0)" }.joined(separator: ",")
    #expect(numbers.utf8.count > (1 << 20) + (1 << 17))
    try write("Info.plist", Self.manifest)
    try write("numbers", numbers)
    try BundleArchive.write(app, signed(), to: archive)
    #expect(try SealCheck(extract(), .init(time: 1_800_000_000)).state == .whole)
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: archive)))
    #expect(FileDescription(ofFile: archive) == FileDescription(of: bytes))
  }

  @Test func `reads names in two parts, and files without a kind, as other programs write them`() throws {
    let root = entry("A.app/", "5", mode: 0o755)
    #expect(try refusal(of: [root, entry("x", prefix: "A.app")]) == nil)
    #expect(try refusal(of: [root, entry("x", prefix: "A.app"), entry("A.app/x")])?.contains("there twice") == true)
    let old = entry("A.app/x", "\0", content: "x")
    #expect(try refusal(of: [root, old]) == nil)
    #expect(try refusal(of: [root, old, entry("A.app/x/y")])?.contains("not below a folder") == true)
  }

  @Test func `has links of 1024 bytes at most, each of which leads somewhere`() throws {
    func link(_ target: String) -> [[UInt8]] {
      var names = LongNames()
      names.target = Array(target.utf8)
      return [
        entry("A.app/", "5", mode: 0o755), entry("x", "x", content: String(decoding: names.bytes, as: UTF8.self)),
        entry("A.app/l", "2", target: "x"),
      ]
    }
    let longest = String(repeating: "é", count: 512)
    #expect(try refusal(of: link(longest)) == nil)
    for target in [longest + "a", ""] {
      #expect(try refusal(of: link(target))?.contains("the link A.app/l leads out") == true, "\(target)")
    }
  }

  @Test func `refuses what no bundle may have, and names it`() throws {
    let root = entry("A.app/", "5", mode: 0o755)
    let cases: [(String, [[UInt8]])] = [
      ("leads out", [root, entry("A.app/../x")]), ("leads out", [entry("/etc/passwd")]),
      ("leads out", [root, entry("A.app//x")]), ("leads out", [root, entry("A.app/./x")]),
      ("link A.app/l leads out", [root, entry("A.app/l", "2", target: "../x")]),
      ("neither a file", [root, entry("A.app/h", "1", target: "A.app/x")]),
      ("neither a file", [root, entry("A.app/c", "3")]), ("neither a file", [root, entry("A.app/p", "6")]),
      ("not a tape archive", [root, entry("A.app/s", "S", size: 1 << 32)]),
      ("rights of its owner", [root, entry("A.app/x", mode: 0o4755)]),
      ("there twice", [root, entry("A.app/x"), entry("A.app/X")]),
      ("there twice", [root, entry("A.app/\u{E9}"), entry("A.app/e\u{301}")]),
      ("not below a folder", [root, entry("A.app/f"), entry("A.app/f/x")]),
      ("not below a folder", [root, entry("B.app/", "5")]), ("not below a folder", [entry("A.app")]),
      ("not below a folder", [root, entry("A.app/l", "2", target: "x"), entry("A.app/l/x")]),
      ("not a bundle", [entry("A/", "5")]), ("no bundle", []),
      ("not a tape archive", [root, entry("A.app/x", size: (4 << 30) + 1)]),
      ("ends in the middle", [root, entry("A.app/x", size: 4_096)]),
      ("plain text", [root, entry("A.app/\u{1B}[2J")]),
      ("long names", [entry("x", "x", content: "11 foo=bar\n")]),
      ("long names", [entry("x", "x", content: "9999 path=")]),
      ("long names", [entry("x", "x", size: 9_000)]),
      ("leads out", [root, entry("x", "x", content: "14 path=../ab\n"), entry("y")]),
    ]
    for (reason, entries) in cases {
      let message = try refusal(of: entries)
      #expect(message?.contains(reason) == true, "\(reason): \(message ?? "accepted")")
    }
    #expect(try refusal(of: [root, entry("A.app/x", content: "x"), entry("A.app/l", "2", target: "x")]) == nil)
  }

  @Test func `has ten thousand names at most`() throws {
    let root = entry("A.app/", "5", mode: 0o755)
    let many = (0..<9_999).map { entry("A.app/\($0)") }
    #expect(try refusal(of: [root] + many) == nil)
    #expect(try refusal(of: [root] + many + [entry("A.app/one")])?.contains("more than 10000 names") == true)
  }

  @Test func `has names of 1100 bytes and 33 levels at most`() throws {
    func long(_ name: String, _ kind: Character = "0") -> [[UInt8]] {
      var names = LongNames()
      names.path = Array(name.utf8)
      return [
        entry("x", "x", content: String(decoding: names.bytes, as: UTF8.self)),
        entry("y", kind, mode: kind == "5" ? 0o755 : 0o644),
      ]
    }
    let root = entry("A.app/", "5", mode: 0o755)
    let wide = (0..<4).map { _ in String(repeating: "é", count: 127) + "a" }
    var (folders, path) = ([root], "A.app")
    for name in wide {
      path += "/\(name)"
      folders += long(path + "/", "5")
    }
    // 5 bytes, four times 256, and 71.
    #expect(try refusal(of: folders + long("\(path)/\(String(repeating: "a", count: 70))")) == nil)
    #expect(
      try refusal(of: folders + long("\(path)/\(String(repeating: "a", count: 71))"))?.contains("plain text") == true)
    (folders, path) = ([root], "A.app")
    for _ in 0..<31 {
      path += "/d"
      folders += long(path + "/", "5")
    }
    #expect(try refusal(of: folders + long("\(path)/x")) == nil)
    #expect(try refusal(of: folders + long("\(path)/x/", "5") + long("\(path)/x/y"))?.contains("too deep") == true)
  }

  @Test func `has long names of 8192 bytes at most, for the next entry only`() throws {
    let root = entry("A.app/", "5", mode: 0o755)
    func records(_ count: Int) -> String { "\(count) linkpath=\(String(repeating: "a", count: count - 15))\n" }
    #expect(records(8_192).utf8.count == 8_192)
    #expect(try refusal(of: [root, entry("x", "x", content: records(8_192)), entry("A.app/x")]) == nil)
    #expect(
      try refusal(of: [root, entry("x", "x", content: records(8_193)), entry("A.app/x")])?.contains("long names")
        == true)
    let name = entry("x", "x", content: "16 path=A.app/l\n")
    #expect(try refusal(of: [root, name, entry("y"), entry("A.app/y")]) == nil)
    #expect(try refusal(of: [root, name, entry("y"), entry("y")])?.contains("not below a folder") == true)
  }

  @Test func `tells a name of a hundred bytes in its header, and a longer one before it`() throws {
    let digest = [UInt8](repeating: 0, count: 32)
    func blocks(_ path: String) -> Int {
      ArchiveHeader(path, .file(mode: 0o644, size: 0, digest: digest)).bytes.count / 512
    }
    let hundred = String(repeating: "é", count: 50)
    #expect(blocks(hundred) == 1 && blocks(hundred + "a") == 3)
    #expect(ArchiveHeader("a", .link(target: hundred)).bytes.count == 512)
    #expect(ArchiveHeader("a", .link(target: hundred + "a")).bytes.count == 3 * 512)
    #expect(ArchiveHeader(String(repeating: "a", count: 99), .folder(mode: 0o755)).bytes.count == 512)
    #expect(ArchiveHeader(hundred, .folder(mode: 0o755)).bytes.count == 3 * 512)
    #expect(ArchiveHeader.Raw(ArchiveHeader(hundred, .folder(mode: 0)).bytes.suffix(512))?.kind == UInt8(ascii: "5"))
    for count in Array(80...110) + Array(980...1_010) {
      var names = LongNames()
      names.path = [UInt8](repeating: 0x61, count: count)
      let read = LongNames(names.bytes)
      #expect(read?.path == names.path && read?.target == nil, "\(count)")
      names.target = [UInt8](repeating: 0x62, count: count)
      #expect(LongNames(names.bytes)?.target == names.target && LongNames(names.bytes)?.path == names.path, "\(count)")
    }
    #expect(LongNames([])?.isEmpty == true)
    #expect(BundleArchive.padding(0) == 0 && BundleArchive.padding(1) == 511 && BundleArchive.padding(512) == 0)
  }

  @Test func `has headers of POSIX, with the same owner and time for every file`() {
    let header = ArchiveHeader("A.app/x", .file(mode: 0o640, size: 9, digest: [UInt8](repeating: 0, count: 32))).bytes
    func text(_ place: Int, _ length: Int) -> String {
      String(decoding: header[place..<(place + length)], as: UTF8.self)
    }
    #expect(header.count == 512 && text(0, 8) == "A.app/x\0")
    // Mode, user, group, size, time.
    #expect(text(100, 24) == "0000640\0" + "0000000\0" + "0000000\0")
    #expect(text(124, 24) == "00000000011\0" + "00000000000\0")
    #expect(text(154, 4) == "\0 0\0" && text(257, 8) == "ustar\0" + "00")
    // What the sum counts: everything but itself, and spaces in its place.
    let sum = header.indices.reduce(0) { $0 + ((148..<156).contains($1) ? 0x20 : Int(header[$1])) }
    #expect(Int(text(148, 6), radix: 8) == sum)
    let others = header[265...].allSatisfy { $0 == 0 } && header[158..<257].allSatisfy { $0 == 0 }
    #expect(others)
  }

  @Test func `ends where its file ends, whatever failed before`() throws {
    try Data(entry("A.app/", "5", mode: 0o755)).write(to: URL(fileURLWithPath: archive))
    errno = EINTR
    let error = #expect(throws: SealError.self) { try extract() }
    #expect(error?.message.contains("ends in the middle") == true)
  }

  @Test func `is refused with any byte of a header changed`() throws {
    let good = [entry("A.app/", "5", mode: 0o755), entry("A.app/x", content: "x")].flatMap(\.self)
    for place in 0..<257 {
      var bytes = good
      bytes[512 + place] ^= 0x40
      #expect(try refusal(of: [bytes]) != nil, "byte \(place)")
    }
  }
}
