import BundleSeals
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct `A bundle compared with its seal` {
  private let folder: TemporaryDirectory
  private let signer: Signer

  init() throws {
    folder = try TemporaryDirectory()
    signer = try Signer()
  }

  @Test func `is whole when it was signed, and unsigned when it was not`() throws {
    let app = try signer.app(in: folder, isSigned: false)
    #expect(try Signer.state(app) == .unsigned)
    try signer.sign(app)
    #expect(try Signer.state(app) == .whole)
    #expect(try Signer.state("\(app)/PlugIns/Clock.appex") == .whole)
  }

  @Test func `is whole after it was signed again, with what changed meanwhile`() throws {
    let app = try signer.app(in: folder)
    try "two".write(toFile: "\(app)/nothing", atomically: false, encoding: .utf8)
    #expect(try Signer.state(app) == .changed([.init("nothing", .content, "it has 3 bytes, and not 0")]))
    try signer.sign(app)
    #expect(try Signer.state(app) == .whole)
  }

  @Test func `is another team's, expired or revoked, each by its name`() throws {
    let app = try signer.app(in: folder)
    let other = try Signer("Another Ltd.")
    let certificate = signer.certificate
    #expect(try Signer.state(app, team: certificate.team) == .whole)
    #expect(
      try Signer.state(app, team: other.certificate.team) == .signedByAnother(expected: other.certificate.team))
    #expect(try Signer.state(app, at: certificate.until) == .expired(until: certificate.until))
    #expect(try Signer.state(app, at: certificate.until - 1) == .whole)
    #expect(try Signer.state(app, at: certificate.from) == .whole)
    #expect(try Signer.state(app, at: certificate.from - 1) == .expired(until: certificate.until))
    let stolen = ["\(certificate.team) \(certificate.signer)": "stolen"]
    #expect(try Signer.state(app, revoked: stolen) == .revoked(reason: "stolen"))
    let seal = try #require(try SealCheck(app, .init(time: Signer.now)).seal)
    let bad = ["\(certificate.team) \(seal.statement.digest)": "bad"]
    #expect(try Signer.state(app, revoked: bad) == .revoked(reason: "bad"))
    // A team takes back what is its own, and nothing of another's.
    #expect(
      try Signer.state(app, revoked: ["\(other.certificate.team) \(certificate.signer)": "envy"]) == .whole)
    // What changed is said first: a stolen key is no reason to look no further.
    try "x".write(toFile: "\(app)/nothing", atomically: false, encoding: .utf8)
    guard case .changed = try Signer.state(app, revoked: stolen) else {
      Issue.record("a changed bundle is not said to be one")
      return
    }
  }

  @Test(arguments: try Cases.present(BundleSeal.names))
  func `is malformed, and never unsigned, without a file of the seal`(name: String) throws {
    let app = try signer.app(in: folder)
    try FileManager.default.removeItem(atPath: "\(app)/_CodeSignature/\(name)")
    guard case .malformed(let error) = try Signer.state(app) else {
      Issue.record("\(name)")
      return
    }
    #expect(error.message.contains(name))
  }

  @Test func `is malformed when the seal is no folder, or only an extension in it has one`() throws {
    let app = try signer.app(in: folder)
    try FileManager.default.removeItem(atPath: "\(app)/_CodeSignature")
    guard case .malformed(let inner) = try Signer.state(app) else {
      Issue.record("a stripped app is taken for an unsigned one")
      return
    }
    #expect(inner.message.contains("Clock.appex"))
    try "".write(toFile: "\(app)/_CodeSignature", atomically: false, encoding: .utf8)
    guard case .malformed = try Signer.state(app) else {
      Issue.record("a file is taken for no seal")
      return
    }
  }

  @Test func `is unsigned where nothing is, and malformed where nobody can look`() throws {
    let file = try folder.write("", to: "file")
    #expect(try Signer.state(folder.file("none")) == .unsigned && Signer.state(file) == .unsigned)
    #expect(symlink("round", folder.file("round")) == 0)
    guard case .malformed(let error) = try Signer.state(folder.file("round")) else {
      Issue.record("what cannot be looked at is taken for unsigned")
      return
    }
    #expect(error.kind == .system && error.message.contains("cannot be looked at"))
  }

  @Test func `lacks the right to be written in a read-only copy alone, and no other right`() throws {
    let app = try signer.app(in: folder)
    #expect(Process.shell("chmod 444 '\(app)/nothing'") == 0)
    #expect(try Signer.state(app) == .changed([.init("nothing", .mode, "its mode is 444, and not 644")]))
    #expect(Process.shell("chmod 644 '\(app)/nothing'") == 0)
    let copy = folder.file("copy")
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    #expect(try SealCheck(app, .init(time: Signer.now), copy: copy).state == .whole)
    #expect(Process.shell("chmod 555 '\(copy)/nothing'") == 0)
    #expect(try Signer.state(copy) == .changed([.init("nothing", .mode, "its mode is 555, and not 644")]))
    #expect(Process.shell("chmod -R u+w '\(copy)'") == 0)
  }

  @Test func `does not take the seal of another bundle, nor an extension with a seal of another team`() throws {
    let app = try signer.app(in: folder)
    let other = try TemporaryDirectory()
    let stranger = try Signer("Another Ltd.")
    let foreign = try stranger.app(in: other)
    let inner = "PlugIns/Clock.appex/_CodeSignature"
    try FileManager.default.removeItem(atPath: "\(app)/\(inner)")
    try FileManager.default.copyItem(atPath: "\(foreign)/\(inner)", toPath: "\(app)/\(inner)")
    guard case .changed(let changes) = try Signer.state(app) else {
      Issue.record("a foreign extension is taken for one of the app")
      return
    }
    #expect(changes.contains { $0.path.hasPrefix(inner) })
    // The outer seal of the stranger says what the stranger signed, and that is not this app.
    try FileManager.default.removeItem(atPath: "\(app)/_CodeSignature")
    try FileManager.default.copyItem(atPath: "\(foreign)/_CodeSignature", toPath: "\(app)/_CodeSignature")
    _ = try Signer.manifest("com.example.notes", version: "9").write(
      toFile: "\(app)/Info.plist", atomically: false, encoding: .utf8)
    guard case .changed = try Signer.state(app) else {
      Issue.record("a manifest that was not signed is taken for one that was")
      return
    }
  }

  @Test(arguments: [
    ("a device", "mknod nothing2 c 1 3"), ("a pipe", "mkfifo pipe"), ("a hard link", "ln nothing twice"),
    ("a link out of it", "ln -s ../../elsewhere out"), ("set-user-ID", "chmod 4755 nothing"),
    ("names that differ by case", "touch NOTHING"),
    ("names that differ by normalisation", "touch \"$(printf 'gr\\303\\266sse')\" \"$(printf 'gro\\314\\210sse')\""),
    ("a name that is no text", "touch \"$(printf 'a\\377b')\""),
    ("a sparse giant", "truncate -s 5G giant"),
    ("folders without an end", "p=.; for i in $(seq 40); do p=$p/d; mkdir $p; done"),
    ("too many names", "mkdir m && cd m && seq 20001 | xargs touch"),
  ])
  func `cannot be sealed with what no seal can hold, and is not whole when it comes later`(
    what: String, command: String
  ) throws {
    let app = try signer.app(in: folder)
    let made = Process.shell("cd '\(app)' && { \(command); }")
    guard made == 0 else { return }  // A device needs root.
    guard case .changed(let changes) = try Signer.state(app) else {
      Issue.record("\(what) goes unnoticed")
      return
    }
    #expect(!changes.isEmpty)
    #expect(throws: SealError.self, "\(what)") { try signer.sign(app) }
  }

  @Test func `is copied as it was sealed, read-only, and no file more`() throws {
    let app = try signer.app(in: folder)
    for size in [0, 1, 65_536, 65_537] { try Data(count: size).write(to: URL(filePath: "\(app)/\(size)")) }
    try signer.sign(app)
    let copy = folder.file("copy")
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    #expect(try SealCheck(app, .init(time: Signer.now), copy: copy).state == .whole)
    #expect(try Signer.state(copy) == .whole)
    #expect(Process.shell("test -z \"$(find '\(copy)' ! -type l -perm /222)\"") == 0)
    #expect(Process.shell("diff -r '\(app)' '\(copy)'") == 0)
    #expect(Process.shell("chmod -R u+w '\(copy)'") == 0)
  }

  @Test func `that changes while it is copied is refused or copied as it was sealed`() async throws {
    let app = try signer.app(in: folder)
    let file = "\(app)/PlugIns/Clock.appex/clock"
    let good = try Data(contentsOf: URL(filePath: file))
    let bad = Data(repeating: 0x78, count: good.count)
    let swapper = Thread {
      while !Thread.current.isCancelled {
        try? bad.write(to: URL(filePath: file))
        try? good.write(to: URL(filePath: file))
      }
    }
    swapper.start()
    defer { swapper.cancel() }
    var copies = 0
    for round in 0..<100 {
      let copy = folder.file("copy-\(round)")
      try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
      guard try SealCheck(app, .init(time: Signer.now), copy: copy).state == .whole else { continue }
      copies += 1
      #expect(try Data(contentsOf: URL(filePath: "\(copy)/PlugIns/Clock.appex/clock")) == good)
    }
    #expect(Process.shell("chmod -R u+w '\(folder.path)'") == 0)
    print("\(copies) of 100 copies were whole")
  }
}

extension Process {
  /// Runs a line of shell, and returns its exit status.
  static func shell(_ line: String) -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
