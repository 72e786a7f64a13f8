import Files
import Glibc
import SandboxTrials
import Testing

@testable import Sandbox

/// The launcher that the library has in it, executed by its descriptor.
@Suite(.timeLimit(.minutes(2)))
struct `The launcher in the library` {
  private static func inMemory() throws -> Launcher {
    try Launcher.embedded { () throws(SandboxError) in
      throw SandboxError(.sandboxUnavailable, "This machine does not execute files in memory.", recovery: "")
    }
  }

  private static func probe(_ launcher: Launcher) -> SandboxProbe {
    SandboxProbe(launcher: launcher, deadline: Workshop.patience)
  }

  @Test func `is made once, of this version, and nobody changes it`() throws {
    let launcher = try Self.inMemory()
    #expect(try Self.inMemory() == launcher)
    let program = try #require(Launcher.embeddedProgram)
    #expect(try File.read(launcher.path, limit: 16 << 20) == program)
    let text = SandboxedProcess.launcherVersionMark + SandboxedProcess.launcherVersion + "\n"
    let result = try Workshop.run(LaunchPlan.unsafeNoSandbox(executable: launcher.path, arguments: ["--version"]))
    #expect(result.exit == .exited(code: 0) && result.output == text, "\(result)")

    // While it runs nobody can open it for writing; the seals hold at all times.
    let file = open(launcher.path, O_RDONLY | O_CLOEXEC)
    let getSeals: Int32 = 1034
    let (seal, shrink, grow, write): (Int32, Int32, Int32, Int32) = (1, 2, 4, 8)
    #expect(fcntl(file, getSeals) & 15 == seal | shrink | grow | write)
    close(file)
  }

  @Test func `confines as its file does`() throws {
    let found = try Self.probe(Self.inMemory()).run()
    #expect(found.tier == (try Self.probe(Workshop.launcher).run()).tier)
    let workshop = try Workshop()
    let plan = try LaunchPlan(
      policy: workshop.policy(workshop.install("sandbox-attempts"), arguments: ["wait"]), capabilities: found,
      launcher: Self.inMemory())
    let process = try plan.spawn()
    defer {
      try? process.signal(SIGKILL)
      _ = try? process.waitUntilExit()
      process.close()
    }
    var waiting = pollfd(fd: process.control, events: Int16(POLLIN), revents: 0)
    #expect(poll(&waiting, 1, 30_000) == 1)
    #expect(Workshop.contents(of: "/proc/\(process.pid)/comm") == "extension-launc\n")
    #expect(Workshop.contents(of: "/proc/\(process.pid)/cmdline") == "extension-launcher\0")
  }

  /// All tiers that this machine can be held to, since each looks at itself in another way.
  @Test(arguments: SandboxTier.allCases)
  func `looks at its own sandbox`(tier: SandboxTier) throws {
    var capabilities = Workshop.capabilities(tier)
    if tier == .namespacesOnly { capabilities.landlockVersion = 0 }
    #expect(try Self.probe(Self.inMemory()).attempt(capabilities) == nil)
  }

  @Test func `is a file in a folder where the kernel does not execute it from memory`() throws {
    let folder = try Folder.makeTemporary(beginning: "/tmp/annex-launcher-")
    defer { try? Folder.remove(folder) }
    let path = try Launcher.written(to: folder)
    let stamp = FileStamp(path)
    #expect(try Launcher.written(to: folder) == path)
    #expect(FileStamp(path) == stamp, "It is written once.")
    try File.replace(path, with: Array("another".utf8))
    #expect(try Launcher.written(to: folder) == path)
    #expect(try File.read(path, limit: 16 << 20) == Launcher.embeddedProgram)
    #expect(chmod(folder, 0o711) == 0)
    #expect(
      try Self.probe(Launcher(path: path)).run().tier == Self.probe(Workshop.launcher).run().tier)
  }
}
