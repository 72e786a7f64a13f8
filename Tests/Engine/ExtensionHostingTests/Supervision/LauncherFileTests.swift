import ExtensionProtocol
import Files
import Glibc
import Testing

@testable import ExtensionHosting
@testable import Sandbox

/// Which launcher is taken.
@Suite(.timeLimit(.minutes(1)))
struct `The launcher` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file that says of itself that it is a launcher.
  @discardableResult
  private func install(_ name: String, version: String = SandboxedProcess.launcherVersion) throws -> String {
    let path = "\(folder.path)/\(name)"
    try Folder.make(Folder.parent(of: path))
    try File.replace(path, with: Array("\u{7F}ELF…\(SandboxedProcess.launcherVersionMark)\(version)\n…".utf8))
    #expect(chmod(path, 0o755) == 0)
    return path
  }

  private func search(named: String? = nil) -> LauncherSearch {
    LauncherSearch(named: named, state: StateDirectory(path: "\(folder.path)/state"))
  }

  @Test func `is what is named, else what the environment names, else the copy in the library`() throws {
    let own = try search().find(nil)
    #expect(own.path.hasPrefix("/proc/self/fd/"))
    #expect(try search(named: "").find(nil) == own)
    let (one, other) = (try install("one"), try install("other"))
    #expect(try search(named: other).find(nil).file == other)
    #expect(try search(named: other).find(one).file == one)
    #expect(try ExtensionHost.findLauncher(at: one, state: StateDirectory(path: folder.path)).file == one)
    #expect(Folder.names(in: "\(folder.path)/state").isEmpty)
  }

  @Test func `that is named is never passed over`() throws {
    try install("bin/extension-launcher")
    for (search, path) in [(search(named: "/none"), nil), (search(), "/none"), (search(named: "bin/launcher"), nil)] {
      let error = #expect(throws: ExtensionError.self) { try search.find(path) }
      #expect(error?.code == .sandboxUnavailable && error?.recovery?.isEmpty == false, "\(String(describing: error))")
    }
  }

  @Test func `of another version is an error with both`() throws {
    try LauncherVersion.check(install("right"))
    let old = try install("old", version: "0.0.9")
    let error = #expect(throws: ExtensionError.self) { try LauncherVersion.check(old) }
    #expect(error?.code == .sandboxUnavailable)
    #expect(error?.message.contains("0.0.9") == true)
    #expect(error?.message.contains(SandboxedProcess.launcherVersion) == true)
    for text in ["", "\u{7F}ELF", "\(SandboxedProcess.launcherVersionMark)no end"] {
      try File.replace(old, with: Array(text.utf8))
      let error = #expect(throws: ExtensionError.self) { try LauncherVersion.check(old) }
      #expect(error?.message == "\(old) is not the extension-launcher of this package.")
    }
  }

  @Test func `is looked at again when its file is another`() throws {
    let path = try install("launcher")
    let facts = LaunchFacts(
      ExtensionHost.Configuration(
        registry: ExtensionRegistry(RegistrySources()), state: StateDirectory(path: folder.path), launcherPath: path))
    #expect(try facts.launcher().file == path)
    for _ in 0..<2 {
      try install("launcher", version: "9")
      for _ in 0..<2 { #expect(throws: ExtensionError.self) { try facts.launcher() } }
      try install("launcher")
      for _ in 0..<2 { #expect(try facts.launcher().file == path) }
    }
    #expect(unlink(path) == 0)
    #expect(throws: ExtensionError.self) { try facts.launcher() }
  }

  @Test func `reads the libraries of a program once, until its file is another`() throws {
    let facts = LaunchFacts(
      ExtensionHost.Configuration(
        registry: ExtensionRegistry(RegistrySources()), state: StateDirectory(path: folder.path)))
    let program = "\(folder.path)/program"
    func paths(isAbandoned: Bool) throws -> [String] {
      try facts.readOnlyPaths(of: program, isInterpreter: false) { isAbandoned }
    }
    for _ in 0..<2 {
      try File.replace(program, with: File.read("/bin/true", limit: 1 << 22))
      #expect(throws: SandboxError.self) { try paths(isAbandoned: true) }
      // It needs nothing beside what is the system's.
      for isAbandoned in [false, true] { #expect(try paths(isAbandoned: isAbandoned) == []) }
    }
  }
}
