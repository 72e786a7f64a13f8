import Cryptography
import Foundation
import TestSupport
import Testing
import Text

@testable import BundleSeals

@Suite(.timeLimit(.minutes(1))) struct `The list of a seal` {
  private static let digest = [UInt8](repeating: 7, count: 32)

  private func isRead(_ entries: [String: SealedEntry], root: Bool = true) throws -> Bool {
    var all = entries
    if root { all["."] = .folder(mode: 0o755) }
    let bytes = try CodeResources(all).bytes()
    guard let read = try? CodeResources(bytes) else { return false }
    #expect(read.entries == all)
    return true
  }

  @Test func `has files, folders and links within their bounds`() throws {
    for (entry, isOne) in [
      (.file(mode: 0o777, size: 0, digest: Self.digest), true),
      (.file(mode: 0, size: 4 << 30, digest: Self.digest), true),
      (.file(mode: 0o1000, size: 0, digest: Self.digest), false),
      (.file(mode: 0o644, size: (4 << 30) + 1, digest: Self.digest), false),
      (.file(mode: 0o644, size: -1, digest: Self.digest), false),
      (.file(mode: 0o644, size: 0, digest: Array(Self.digest.dropLast())), false),
      (.file(mode: 0o644, size: 0, digest: Self.digest + [0]), false), (.folder(mode: 0o777), true),
      (.folder(mode: 0o1000), false), (.link(target: ""), false),
      (.link(target: String(repeating: "é", count: 512)), true),
      (.link(target: String(repeating: "é", count: 512) + "a"), false),
    ] as [(SealedEntry, Bool)] { #expect(try isRead(["a": entry]) == isOne, "\(entry)") }
  }

  @Test func `has places in the bundle, each in a folder that it lists`() throws {
    let folder = SealedEntry.folder(mode: 0o755)
    for path in ["/a", "a/", "a//b", "..", "a/..", "a/.", "./a", "", "_CodeSignature", "a\u{7F}"] {
      var entries = ["a": folder]
      entries[path] = folder
      #expect(try !isRead(entries), "\(path)")
    }
    #expect(try isRead(["a": folder, "a/_CodeSignature": folder, "a/b c": .link(target: "x")]))
    #expect(try !isRead(["a/b": folder]))
    #expect(try !isRead(["a": .link(target: "x"), "a/b": folder]))
    #expect(try !isRead(["a": folder], root: false))
    #expect(try !isRead([".": .link(target: "x")], root: false))
    let long = (0..<4).map { _ in String(repeating: "é", count: 127) }.joined(separator: "/")
    let parts = long.split(separator: "/")
    var folders: [String: SealedEntry] = [:]
    for count in 1...4 { folders[parts.prefix(count).joined(separator: "/")] = folder }
    // Four components of 254 bytes and three slashes are 1019 bytes.
    folders["\(long)/abcd"] = .link(target: "x")
    #expect(try isRead(folders))
    folders["\(long)/abcde"] = .link(target: "x")
    #expect(try !isRead(folders))
  }

  @Test func `has twenty thousand entries at most`() throws {
    var entries: [String: SealedEntry] = [:]
    for number in 1..<20_000 { entries["\(number)"] = .link(target: "x") }
    #expect(try isRead(entries))
    entries["one"] = .link(target: "x")
    #expect(try !isRead(entries))
  }

  @Test func `has one version, and nothing besides`() throws {
    let text = String(decoding: try CodeResources([".": .folder(mode: 0o755)]).bytes(), as: UTF8.self)
    #expect((try? CodeResources(Array(text.utf8))) != nil)
    for (word, other) in [
      ("<integer>1</integer>", "<integer>2</integer>"), ("<key>Version</key>", "<key>Edition</key>"),
      ("<key>Files</key>", "<key>More</key><true/><key>Files</key>"), ("<key>Folder</key>", "<key>Folded</key>"),
      ("<true/>", "<false/>"), ("<key>Mode</key>", "<key>Size</key><integer>1</integer><key>Mode</key>"),
    ] {
      let changed = text.replacing(word, with: other)
      #expect(changed != text, "\(word)")
      let error = #expect(throws: SealError.self, "\(word)") { try CodeResources(Array(changed.utf8)) }
      #expect(error?.kind == .malformed)
    }
  }

  @Test func `gives what lies below a folder with the paths from there`() {
    let (folder, link) = (SealedEntry.folder(mode: 0o700), SealedEntry.link(target: "x"))
    let list = CodeResources([".": folder, "größe": folder, "größe/a": link, "größer": link, "a": link])
    #expect(list.below("größe") == [".": folder, "a": link])
  }

  @Test(arguments: [
    ("x", "a", false), ("..", "a", true), (".", "a", false), ("..", "a/b", false), ("../..", "a/b", true),
    ("./..", "a", true), ("b/..", "a", false), ("b/../..", "a", true), ("/etc", "a", false), ("../../x/y", "a/b", true),
    ("../x/../..", "a/b", true), ("..//..", "a/b", true), ("../c", "a/b", false),
    // With the mark the slash is one character, and a slash all the same.
    ("../\u{301}x", "a", true), ("../\u{301}x", "a/b", false), ("x/../../\u{301}y", "a", true),
    ("../x", "a/\u{301}b", false),
  ])
  func `has links that stay in the bundle`(target: String, path: String, leaves: Bool) {
    #expect(SealedTree.leaves(target, from: path) == leaves)
  }
}

@Suite(.timeLimit(.minutes(2))) struct `The bounds of a seal` {
  private let folder: TemporaryDirectory
  private let signer: Signer

  init() throws {
    folder = try TemporaryDirectory()
    signer = try Signer()
  }

  @Test func `are those of its key, to the second`() throws {
    let app = try signer.app(in: folder, isSigned: false)
    let certificate = signer.certificate
    func kind(_ time: Int64, _ certificate: KeyCertificate) -> SealError.Kind? {
      do {
        try BundleSeal.sign(app, with: signer.key, certificate, at: time)
        return nil
      } catch {
        return error.kind
      }
    }
    for (time, isGood) in [
      (certificate.from - 1, false), (certificate.from, true), (certificate.until - 1, true),
      (certificate.until, false),
    ] { #expect(kind(time, certificate) == (isGood ? nil : .keyRefused), "\(time)") }
    let backwards = try KeyCertificate(signer.key.publicKey, by: signer.root, name: "x", from: 20, until: 10)
    for time in [9, 10, 15, 20] as [Int64] { #expect(kind(time, backwards) == .keyRefused, "\(time)") }
    #expect(kind(Signer.now, try Signer().certificate) == .keyRefused)
  }

  @Test func `say first what was revoked, then whose it is, then that its time is over`() throws {
    let app = try signer.app(in: folder)
    let (team, until) = (signer.certificate.team, signer.certificate.until)
    let revoked = ["\(team) \(signer.certificate.signer)": "stolen"]
    #expect(try Signer.state(app, team: "other", revoked: revoked, at: until) == .revoked(reason: "stolen"))
    #expect(try Signer.state(app, team: "other", at: until) == .signedByAnother(expected: "other"))
    #expect(try Signer.state(app, team: team, at: until) == .expired(until: until))
  }

  @Test func `are a hundred changes`() throws {
    let app = try signer.app(in: folder)
    for count in [100, 101] {
      #expect(Process.shell("cd '\(app)' && seq -f 'new%g' \(count) | xargs touch") == 0)
      guard case .changed(let changes) = try Signer.state(app) else {
        Issue.record("\(count) new files go unnoticed")
        return
      }
      #expect(changes.count == 100)
    }
  }

  @Test func `are 32 folders in each other`() throws {
    let app = try signer.app(in: folder)
    let deepest = (1...32).map { _ in "d" }.joined(separator: "/")
    try FileManager.default.createDirectory(atPath: "\(app)/\(deepest)", withIntermediateDirectories: true)
    #expect(SealedTree(app, leavingOut: BundleSeal.folder).refused.isEmpty)
    try signer.sign(app)
    #expect(try Signer.state(app) == .whole)
    try "".write(toFile: "\(app)/\(deepest)/x", atomically: false, encoding: .utf8)
    #expect(SealedTree(app, leavingOut: BundleSeal.folder).refused.map(\.path) == ["\(deepest)/x"])
  }

  @Test func `are its own six files and no other, none of them a link`() throws {
    let app = try signer.app(in: folder)
    let place = "\(app)/_CodeSignature"
    try "".write(toFile: "\(place)/More", atomically: false, encoding: .utf8)
    guard case .changed(let changes) = BundleSeal.read(app) else {
      Issue.record("a file more goes unnoticed")
      return
    }
    #expect(changes.map(\.path) == ["_CodeSignature/More"] && changes.map(\.kind) == [.added])
    #expect(Process.shell("cd '\(place)' && rm More && mv Statement ../kept && ln -s ../kept Statement") == 0)
    guard case .malformed(let error) = BundleSeal.read(app) else {
      Issue.record("a link is taken for a file of the seal")
      return
    }
    #expect(error.message.contains("has no Statement."))
  }

  @Test func `name the key that signed, in the statement as in the certificate`() throws {
    let app = try signer.app(in: folder)
    guard case .seal(let seal) = BundleSeal.read(app) else {
      Issue.record("the seal is not read")
      return
    }
    guard case .seal = BundleSeal.check(seal.files) else {
      Issue.record("the files of a seal are none")
      return
    }
    let other = try Ed25519.PrivateKey.generate().publicKey
    let statement = try SealStatement(
      SealedManifest(bundle: app), resources: seal.files["CodeResources"] ?? [], key: other)
    let signature = try signer.key.signature(of: statement.bytes)
    var files = seal.files
    (files["Statement"], files["Statement.sig"]) = (statement.bytes, signature)
    files["Statement.minisig"] = try Minisign.document(signature, by: signer.key)
    guard case .malformed(let error) = BundleSeal.check(files) else {
      Issue.record("a statement of another key is taken")
      return
    }
    #expect(error.message.contains("another key"))
    for name in BundleSeal.names {
      files = seal.files
      files[name] = nil
      guard case .changed(let changes) = BundleSeal.check(files) else {
        Issue.record("\(name) is not needed")
        continue
      }
      #expect(changes.count == 1)
    }
  }

  @Test func `are 80 characters of a team's name, also where it is read`() throws {
    let name = String(repeating: "e\u{301}", count: 40)
    let certificate = try KeyCertificate(signer.key.publicKey, by: signer.root, name: name, from: 1, until: 2)
    #expect(try KeyCertificate(certificate.text, signature: certificate.signature) == certificate)
    #expect(throws: SealError.self) {
      try KeyCertificate(signer.key.publicKey, by: signer.root, name: name + "a", from: 1, until: 2)
    }
    let text = try SignedText(
      .certificate,
      [
        ("team", Base64.encode(signer.root.publicKey.bytes)), ("name", name + "a"),
        ("key", Base64.encode(signer.key.publicKey.bytes)), ("from", "1"), ("until", "2"),
      ])
    #expect(throws: SealError.self) {
      try KeyCertificate(text.bytes, signature: signer.root.signature(of: text.bytes))
    }
  }

  @Test(arguments: ["05", "+5", "-0", " 5", "5 ", "0x5", "-1", "253402300800"])
  func `are times that are written in one way`(time: String) throws {
    func document(_ time: String) throws -> [UInt8] {
      let text = try SignedText(
        .revocation,
        [
          ("team", Base64.encode(signer.root.publicKey.bytes)), ("revokes", String(repeating: "a", count: 64)),
          ("at", time), ("because", "x"),
        ])
      return SignedDocument.bytes(text.bytes, try signer.root.signature(of: text.bytes))
    }
    #expect(try Revocation(document: document("5")).time == 5)
    #expect(throws: SealError.self) { try Revocation(document: document(time)) }
  }

  @Test func `are texts of their kind, with each name in its place and a plain value`() throws {
    func isRead(_ text: String) throws -> Bool {
      let bytes = Array(text.utf8)
      let document = SignedDocument.bytes(bytes, try signer.root.signature(of: bytes))
      return (try? Revocation(document: document)) != nil
    }
    let team = Base64.encode(signer.root.publicKey.bytes)
    let key = String(repeating: "a", count: 64)
    let whole = "annex revocation 1\nteam \(team)\nrevokes \(key)\nat 5\nbecause why not\n"
    #expect(try isRead(whole))
    for (part, other) in [
      ("annex revocation 1", "annex revocation 2"), ("annex revocation 1", "annex root rotation 1"), ("why not", ""),
      ("why not", "why\u{202E}not"), ("why not", "why\tnot"), ("why not\n", "why not"),
      ("why not\n", "why not\nmore x\n"), ("because", "Because"), ("at 5\n", ""), ("at 5\n", "at 5\nat 5\n"),
      ("at 5\nbecause why not", "because why not\nat 5"),
    ] {
      let changed = whole.replacing(part, with: other)
      #expect(try changed != whole && !isRead(changed), "\(part) → \(other)")
    }
  }

  @Test func `are 255 bytes of an identifier and of a version, and neither is empty`() throws {
    func manifest(_ identifier: String, _ version: String, _ more: String = "") -> SealedManifest? {
      let text = """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(identifier)</string>
        <key>CFBundleVersion</key><string>\(version)</string>\(more)</dict></plist>
        """
      return try? SealedManifest(Array(text.utf8), named: "Info.plist")
    }
    let longest = String(repeating: "é", count: 127) + "a"
    #expect(manifest(longest, longest)?.identifier == longest)
    #expect(manifest(longest + "a", "1") == nil && manifest("a", longest + "a") == nil)
    #expect(manifest("", "1") == nil && manifest("a", "") == nil)
    let short = """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>a</string>
      <key>CFBundleShortVersionString</key><string>2</string></dict></plist>
      """
    #expect(try SealedManifest(Array(short.utf8), named: "Info.plist").version == "2")
    #expect(manifest("a", "1", "<key>CFBundleShortVersionString</key><string>2</string>")?.version == "1")
    // What it asks for is both of these, and nothing else.
    let plain = try #require(manifest("a", "1"))
    #expect(manifest("a", "1", "<key>Other</key><true/>")?.entitlements == plain.entitlements)
    let asks = ["Entitlements", "Annex"].compactMap { manifest("a", "1", "<key>\($0)</key><true/>")?.entitlements }
    #expect(Set(asks + [plain.entitlements]).count == 3)
  }

  @Test func `are costs of a key file that can be paid`() throws {
    let cheap = Scrypt.Cost(logarithm: 4, blocks: 8, lanes: 1)
    let path = folder.file("key")
    try KeyFile(signer.key, passphrase: [1], cost: cheap).write(to: path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for (member, good, bad) in [
      ("\"logarithm\": 4", [1, 20], [0, 21, -1]), ("\"blocks\": 8", [1, 32], [0, 33]),
      ("\"lanes\": 1", [1, 16], [0, 17]),
    ] {
      let name = member.prefix { $0 != " " }
      for (values, isGood) in [(good, true), (bad, false)] {
        for value in values {
          let changed = text.replacing(member, with: "\(name) \(value)")
          #expect(changed.contains("\(name) \(value)"))
          try changed.write(toFile: path, atomically: false, encoding: .utf8)
          #expect(((try? KeyFile(path)) != nil) == isGood, "\(name) \(value)")
        }
      }
    }
    for (size, isGood) in [(16 << 10, true), ((16 << 10) + 1, false), (text.utf8.count, true)] {
      try (text + String(repeating: " ", count: size - text.utf8.count)).write(
        toFile: path, atomically: false, encoding: .utf8)
      #expect(((try? KeyFile(path)) != nil) == isGood, "\(size) bytes")
    }
    try text.replacing("annex private key 1", with: "annex private key 2").write(
      toFile: path, atomically: false, encoding: .utf8)
    let error = #expect(throws: SealError.self) { try KeyFile(path) }
    #expect(error?.kind == .malformed)
    let none = #expect(throws: SealError.self) { try KeyFile(folder.file("none")) }
    #expect(none?.kind == .system)
  }
}
