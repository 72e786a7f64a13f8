import ExtensionProtocol
import Files
import Glibc
import Testing

@testable import ExtensionHosting
@testable import Sandbox

/// Where the launcher is looked for, and which one is taken.
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
    LauncherSearch(named: named, folder: "\(folder.path)/bin")
  }

  @Test func `is what is named, else what the environment names, beside the program, and where it is installed`() throws
  {
    let installed = try install("libexec/annex/extension-launcher")
    try Folder.make("\(folder.path)/bin")
    #expect(try search().find(nil) == installed)
    let beside = try install("bin/extension-launcher")
    #expect(try search().find(nil) == beside)
    #expect(try search(named: "").find(nil) == beside)
    let other = try install("other")
    #expect(try search(named: other).find(nil) == other)
    #expect(try search(named: other).find(installed) == installed)
  }

  @Test func `that is named is never passed over`() throws {
    try install("bin/extension-launcher")
    for (search, path) in [(search(named: "/none"), nil), (search(), "/none"), (search(named: "bin/launcher"), nil)] {
      let error = #expect(throws: ExtensionError.self) { try search.find(path) }
      #expect(error?.code == .sandboxUnavailable && error?.recovery?.isEmpty == false, "\(String(describing: error))")
    }
  }

  @Test func `that is nowhere is an error with the places and what to do`() {
    let error = #expect(throws: ExtensionError.self) { try search().find(nil) }
    #expect(error?.code == .sandboxUnavailable)
    #expect(error?.message.contains("\(folder.path)/bin/extension-launcher") == true)
    #expect(error?.message.contains("\(folder.path)/bin/../libexec/annex/extension-launcher") == true)
    #expect(error?.recovery?.contains("ANNEX_LAUNCHER") == true)
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
      #expect(error?.message == "\(old) is no extension-launcher of this package.")
    }
  }

  @Test func `is looked at again when its file is another`() throws {
    let path = try install("launcher")
    let facts = LaunchFacts(
      ExtensionHost.Configuration(
        registry: ExtensionRegistry(RegistrySources()), state: StateDirectory(path: folder.path), launcherPath: path))
    #expect(try facts.launcher() == path)
    try install("launcher", version: "9")
    #expect(throws: ExtensionError.self) { try facts.launcher() }
  }
}
