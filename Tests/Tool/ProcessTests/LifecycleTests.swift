import JSONRPC
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostServices
import JSON
import Testing

/// What is left of an extension when its scope is over: nothing.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `The scope of an extension` {
  /// A widget whose command line is unique, as its script lies in the test's own folder.
  private static func script(_ body: String) throws -> (stage: Stage, id: String, marker: String) {
    let folder = try TemporaryFolder()
    let id = try Script.install("scoped", in: folder, body)
    return (try Stage(folder) { $0.termination = .milliseconds(200) }, id, "\(folder.path)/Plugins/scoped.py")
  }

  @Test func `holds one process tree, and none when it is over`() async throws {
    let (stage, id, marker) = try Self.script("show(directories[\"scratch\"])")
    let seen = try await stage.host.withExtension(id) { widget in
      let scratch = try await widget.performUpdate().view?.text
      return (scratch: scratch, processes: Processes.running(marker), folders: stage.scratchFolders)
    }
    #expect(!seen.processes.isEmpty)
    #expect(seen.folders.count == 1)
    #expect(seen.scratch?.hasSuffix(seen.folders.first ?? "none") == true)
    #expect(Processes.running(marker).isEmpty)
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `ends in a program that has the kernel forget its children`() async throws {
    let (stage, id, marker) = try Self.script("show(1)")
    defer { signal(SIGCHLD, SIG_DFL) }
    let start = try await stage.host.withExtension(id) { widget in
      signal(SIGCHLD, SIG_IGN)
      _ = try await widget.performUpdate()
      return ContinuousClock.now
    }
    // Not after the seconds that a process which does not end is given.
    #expect(ContinuousClock.now - start < .seconds(3))
    #expect(Processes.running(marker).isEmpty)
  }

  @Test func `ends when its body throws`() async throws {
    struct Enough: Error {}
    let (stage, id, marker) = try Self.script("show(1)")
    await #expect(throws: Enough.self) {
      try await stage.host.withExtension(id) { widget in
        _ = try await widget.performUpdate()
        throw Enough()
      }
    }
    #expect(Processes.running(marker).isEmpty)
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `ends when the calling task is cancelled`() async throws {
    let (stage, id, marker) = try Self.script("time.sleep(300)")
    let start = ContinuousClock.now
    await withTaskGroup(of: Void.self) { group in
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        await #expect(throws: (any Error).self) {
          try await stage.host.withExtension(id) { widget in
            begin.yield()
            _ = try await widget.performUpdate(deadline: .seconds(300))
          }
        }
      }
      for await _ in begun { break }
      group.cancelAll()
    }
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(Processes.running(marker).isEmpty)
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `ends a process that closed its streams and stayed`() async throws {
    let (stage, id, marker) = try Self.script("os.close(1)\nos.close(0)\ntime.sleep(300)")
    let error = try await stage.failure(of: id)
    #expect(error.code == .peerExited)
    #expect(error.message == "scoped closed its standard output, before it answered widget/performUpdate.")
    #expect(Processes.running(marker).isEmpty)
  }

  @Test func `removes what the extension left in its scratch folder`() async throws {
    let (stage, id, _) = try Self.script(
      """
      for depth in range(200):
          os.mkdir("d"); os.chdir("d")
      open("file", "w").close()
      attempt(lambda: os.symlink("/etc", "../link"))
      os.mkdir("locked", 0)
      show("left")
      """)
    #expect(try await stage.update(id) == .newData("left"))
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `keeps what the extension left in its container`() async throws {
    let (stage, id, _) = try Self.script(
      """
      path = directories["container"] + "/count"
      count = int(open(path).read()) + 1 if os.path.exists(path) else 1
      open(path, "w").write(str(count))
      show(count)
      """)
    #expect(try await stage.update(id) == .newData("1"))
    #expect(try await stage.update(id) == .newData("2"))
  }

  @Test func `runs several extensions at once`() async throws {
    let (stage, id, marker) = try Self.script("show(os.getcwd())")
    let results = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<4 { group.addTask { try await stage.update(id).view?.text } }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(results.count == 4, "each has a scratch folder of its own: \(results)")
    #expect(Processes.running(marker).isEmpty)
  }

  @Test func `ends when its host is killed, ten of them at once, and leaves nothing that the next host does not sweep`()
    async throws
  {
    let tool = try HostTool()
    let (mounts, shared) = (Processes.mounts, Processes.sharedMemory)
    let dead = try TenWidgets(tool)
    try await dead.areAtWork()
    #expect(Processes.running(dead.marker).count >= 10)
    await dead.kill()
    #expect(Processes.running(dead.marker).isEmpty)
    #expect(Processes.mounts.subtracting(mounts).filter { $0.contains(tool.folder.path) }.isEmpty)
    #expect(Processes.sharedMemory.subtracting(shared).isEmpty)
    #expect(tool.folder.names(in: "home/scratch").count == 10)
    let stage = try Stage(tool.folder)
    #expect(try await stage.update("com.example.adventures.visits") == .newData("Visit 1"))
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `of a dead host is swept up by the next one`() async throws {
    let (stage, id, _) = try Self.script("show(1)")
    // No process has this identifier: Linux ends below 2^22.
    try stage.folder.write("home/scratch/9999999-1-abcdef/left", "by a host that was killed")
    _ = try await stage.update(id)
    #expect(stage.scratchFolders.isEmpty)
  }
}
