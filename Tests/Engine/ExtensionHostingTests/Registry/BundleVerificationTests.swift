import ExtensionHosting
import ExtensionProtocol
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A bundle that is verified` {
  private let fixture: BundleFixture
  private var clock: String { "\(fixture.folder.path)/Notes.app/PlugIns/Clock.appex" }

  init() throws { fixture = try BundleFixture() }

  private func errors(_ path: String) throws -> [String] {
    try BundleVerification(path).problems.filter { $0.severity == .error }.map(\.message)
  }

  private static let senderPoint = "com.example.points.sender"

  @Test func `without faults is acceptable`() throws {
    let found = try BundleVerification(fixture.write())
    #expect(found.isAcceptable && found.problems == [])
    #expect(found.entries.map(\.identifier) == ["com.example.notes", "com.example.notes.clock"])
    #expect(try BundleVerification(clock).entries.map(\.identifier) == ["com.example.notes.clock"])
  }

  @Test func `must not offer itself for everything`() throws {
    let path = try fixture.write {
      $0.point = Self.senderPoint
      $0.attributes = "<key>NSExtensionActivationRule</key><string>(TRUEPREDICATE)</string>"
    }
    #expect(try errors(path).map { $0.hasPrefix("TRUEPREDICATE") } == [true])
    // While one works on it, it may.
    let registry = ExtensionRegistry(RegistrySources(bundles: [path]))
    #expect(registry.extensions.map(\.identifier) == ["com.example.notes.clock"])
  }

  @Test(
    arguments: [
      ("com.example.mail.clock", "", "does not begin with the identifier"),
      ("com.example.notes.clock", "<key>Script</key><string>none</string>", "none.js"),
    ])
  func `is held to the rules of manifests`(id: String, attributes: String, message: String) throws {
    let path = try fixture.write {
      $0.extensionID = id
      $0.attributes = attributes
    }
    #expect(try errors(path).contains { $0.contains(message) })
  }

  @Test func `needs its executable`() throws {
    let path = try fixture.write()
    try FileManager.default.removeItem(atPath: "\(clock)/Clock")
    #expect(try errors(path).contains { $0.contains("does not exist") })
    try fixture.folder.write("Notes.app/PlugIns/Clock.appex/Clock", "no program".utf8, mode: 0o755)
    #expect(try errors(path).contains { $0.contains("neither a program nor a library") })
  }

  /// The kernel would make its stack executable, and no filter would see it.
  @Test func `has no code on its stack, unless it asks for that`() throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: "/bin/true"))
    let table = bytes[32..<40].reversed().reduce(0) { $0 << 8 | Int($1) }
    for segment in stride(from: table, to: table + 56 * Int(bytes[56]), by: 56)
    where Array(bytes[segment..<segment + 4]) == [0x51, 0xe5, 0x74, 0x64] { bytes[segment + 4] |= 1 }
    try fixture.folder.write("altered", Array(bytes), mode: 0o755)
    let program = "\(fixture.folder.path)/altered"
    #expect(try errors(fixture.write { $0.program = program }).contains { $0.contains("stack on which code may run") })
    let asking = try fixture.write("Asking.app") {
      $0.program = program
      $0.entitlements = ["jit"]
    }
    let faults = try BundleVerification(asking).problems.filter { $0.message.contains("stack on which code") }
    #expect(faults.allSatisfy { $0.file?.contains("Clock") != true }, "\(faults)")
  }

  @Test(arguments: [(0o4755, "takes another user's rights"), (0o775, "changed by other users"), (0o757, "other users")])
  func `has files that nobody else can change`(mode: Int, message: String) throws {
    let path = try fixture.write()
    chmod("\(clock)/Clock", mode_t(mode))
    #expect(try errors(path).contains { $0.contains(message) })
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to give a file away"), arguments: ["Clock", "module.py", "library"])
  func `has no file of another user`(name: String) throws {
    let path = try fixture.write()
    let file = "\(clock)/\(name)"
    if name == "library" { mkdir(file, 0o755) }
    if name == "module.py" { try Data().write(to: URL(fileURLWithPath: file)) }
    #expect(try errors(path) == [])
    chown(file, 4_711, 4_711)
    #expect(try errors(path).contains { $0.contains("belongs to user 4711, who could change it") })
  }

  @Test func `has no links that lead out`() throws {
    let path = try fixture.write()
    try FileManager.default.createSymbolicLink(atPath: "\(clock)/inside", withDestinationPath: "Clock")
    #expect(try BundleVerification(path).isAcceptable)
    try FileManager.default.createSymbolicLink(atPath: "\(clock)/outside", withDestinationPath: "/etc/passwd")
    try FileManager.default.createSymbolicLink(atPath: "\(clock)/nowhere", withDestinationPath: "/no/such")
    let errors = try errors(path)
    #expect(errors.count == 2 && errors.contains { $0.contains("/etc/passwd") })
  }

  @Test func `is not to use what no extension may`() throws {
    let path = try fixture.write { $0.program = "/bin/bash" }
    let problems = try BundleVerification(path).problems
    let forking = try #require(problems.first { $0.message.contains("the symbol fork.") })
    #expect(forking.message == "It uses the symbol fork. An extension starts no other program.")
    #expect(forking.severity == .error && !forking.recovery.isEmpty)
    // The app may.
    #expect(problems.allSatisfy { $0.file?.hasSuffix("/Clock") == true })
  }

  @Test func `vouches for its libraries`() throws {
    let library = try #require(
      ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/lib"].map { "\($0)/libm.so.6" }
        .first { FileManager.default.fileExists(atPath: $0) })
    let path = try fixture.write()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: library))
    try fixture.folder.write("Notes.app/PlugIns/Clock.appex/libtide.so", bytes)
    #expect(try errors(path) == ["The library libtide.so is not said to be safe for use in extensions."])
    let annex = "<key>Annex</key><dict><key>ExtensionSafe</key><array><string>libtide.so</string></array></dict>"
    try fixture.write { $0.extensionKeys = annex }
    #expect(try errors(path) == [])
  }

  @Test func `is a folder`() {
    for path in ["/no/such/Notes.app", "/tmp", "/bin/true"] {
      let error = #expect(throws: ExtensionError.self) { try BundleVerification(path) }
      #expect(error?.code == .extensionInvalid)
    }
  }
}
