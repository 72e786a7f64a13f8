import JSONRPC
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON
import Testing

/// Processes that are started ahead of the user.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A process that is started ahead` {
  /// Counts its own requests, so that an answer tells which process it came from.
  private static let counting = """
    if method == "$/ping": answer({"uptimeMs": 1}); continue
    served = globals().get("served", 0) + 1
    if served > 2 and os.path.exists(directories["container"] + "/crash"): sys.exit(3)
    show(str(served))
    """

  private static func stage(
    _ folder: TemporaryFolder, idleTime: Duration = .seconds(30), isMemoryShort: Bool = false, capacity: Int = 4,
    deadlines: (inout ExtensionHost.Deadlines) -> Void = { _ in }
  ) throws -> Stage {
    var warm = ExtensionHost.Warm(capacity: capacity, idleTime: idleTime)
    warm.isMemoryShort = { isMemoryShort }
    return try Stage(folder, warm: warm) {
      $0.termination = .milliseconds(300)
      $0.look = .milliseconds(20)
      deadlines(&$0)
    }
  }

  /// Runs the body beside the host.
  private static func running(_ stage: Stage, _ body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await stage.host.run() }
      while await !stage.host.isRunning {
        try Task.checkCancellation()
        await Task.yield()
      }
      defer { group.cancelAll() }
      try await body()
    }
    #expect(Processes.running("\(stage.folder.path)/Plugins/").isEmpty)
    #expect(stage.scratchFolders.isEmpty)
  }

  /// Waits until the host keeps so many processes.
  private static func kept(_ count: Int, by stage: Stage) async throws {
    while await stage.host.keptProcesses != count {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test func `serves one request after the other`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("warm", in: folder, Self.counting)
    let stage = try Self.stage(folder)
    try await Self.running(stage) {
      try await stage.host.prewarm(id)
      try await stage.host.prewarm(id)
      #expect(await stage.host.keptProcesses == 1)
      for count in 1...3 { #expect(try await stage.update(id) == .newData("\(count)")) }
      #expect(await stage.host.keptProcesses == 1)
    }
    let statistics = StatisticsStore(StateDirectory(path: stage.home)).statistics(of: id)
    #expect(statistics.launches == 1)
    #expect(statistics.warm == 3)
  }

  @Test func `gives way to one that has what the user has granted since`() async throws {
    let folder = try TemporaryFolder()
    let id = "com.example.fixtures.compiler"
    let stage = try Self.stage(folder)
    try await Self.running(stage) {
      try await stage.host.prewarm(id)
      #expect(try await stage.update(id) != .newData("ran, ran"))
      let permissions = PermissionAuthority(state: StateDirectory(path: stage.home))
      try await permissions.decide(AskedPermission("jit"), .granted, for: id)
      #expect(try await stage.update(id) == .newData("ran, ran"))
    }
  }

  @Test func `serves one action only`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "acting", point: "com.apple.services", in: folder, attributes: Script.takesText,
      """
      if method == "context/beginRequest": answer({"accepted": True})
      elif method == "action/perform":
          answer({})
          send({"id": 9, "method": "context/completeRequest", "params": {"requestID": params["requestID"]}})
      """)
    let stage = try Self.stage(folder)
    try await Self.running(stage) {
      try await stage.host.prewarm(id)
      let outcome = try await stage.host.withExtension(id) {
        try await $0.perform([], requests: stage.requests, deadline: .seconds(20))
      }
      #expect(outcome == .completed([]))
      #expect(await stage.host.keptProcesses == 0)
    }
  }

  @Test func `is refused for a point that belongs to the moment`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "sharing", point: "com.apple.share-services", in: folder, attributes: Script.takesText, "pass")
    let stage = try Self.stage(folder)
    await #expect(throws: ExtensionError(.pointDisallows, "")) { try await stage.host.prewarm(id) }
  }

  @Test func `needs a host that runs`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("warm", in: folder, Self.counting)
    let stage = try Self.stage(folder)
    await #expect(throws: ExtensionError(.shuttingDown, "")) { try await stage.host.prewarm(id) }
  }

  @Test func `is collected when nobody uses it`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("warm", in: folder, Self.counting)
    let stage = try Self.stage(folder, idleTime: .milliseconds(50))
    try await Self.running(stage) {
      try await stage.host.prewarm(id)
      try await Self.kept(0, by: stage)
      #expect(try await stage.update(id) == .newData("1"))
    }
    #expect(stage.host.health(of: id).failures.isEmpty)
  }

  @Test func `is collected when memory is short`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("warm", in: folder, Self.counting)
    let stage = try Self.stage(folder, isMemoryShort: true)
    try await Self.running(stage) {
      try await stage.host.prewarm(id)
      try await Self.kept(0, by: stage)
    }
  }

  @Test func `gives way to another when there is no place`() async throws {
    let folder = try TemporaryFolder()
    let one = try Script.install("one", in: folder, Self.counting)
    let two = try Script.install("two", in: folder, Self.counting)
    let stage = try Self.stage(folder, capacity: 1)
    try await Self.running(stage) {
      try await stage.host.prewarm(one)
      try await stage.host.prewarm(two)
      try await Self.kept(1, by: stage)
      #expect(try await stage.update(two) == .newData("1"))
      #expect(try await stage.update(two) == .newData("2"))
    }
  }

  @Test func `is started once, however many ask for it at once`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("warm", in: folder, Self.counting)
    let stage = try Self.stage(folder, capacity: 2)
    try await Self.running(stage) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { try await stage.host.prewarm(id) } }
        try await group.waitForAll()
      }
      try await Self.kept(1, by: stage)
    }
  }

  @Test func `that crashes in a request is counted once, and not used again`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("warm", in: folder, Self.counting)
    let stage = try Self.stage(folder)
    try await Self.running(stage) {
      try await stage.host.prewarm(id)
      _ = try await stage.update(id)
      _ = try await stage.update(id)
      try folder.write("home/containers/\(id)/crash", "")
      #expect(try await stage.failure(of: id).code == .peerExited)
      #expect(stage.host.health(of: id).failures.count == 1)
      #expect(stage.host.health(of: id).consecutive == 1)
      #expect(try await stage.update(id) == .newData("1"))
    }
  }

  @Test func `that does not answer pings is ended`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("deaf", in: folder, "pass")
    let stage = try Self.stage(folder) { $0.ping = .milliseconds(40) }
    try await Self.running(stage) {
      try await stage.host.prewarm(id)
      try await Self.kept(0, by: stage)
      while stage.host.health(of: id).failures.isEmpty { await Task.yield() }
      #expect(stage.host.health(of: id).lastFailure?.kind == .hung)
    }
  }

  @Test func `gives way to a newer version`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("warm", in: folder, "show(\"old\")")
    let stage = try Self.stage(folder)
    try await Self.running(stage) {
      try await stage.host.prewarm(id)
      #expect(try await stage.update(id) == .newData("old"))
      try Script.install("warm", in: folder, version: "2", "show(\"new\")")
      #expect(try await stage.update(id) == .newData("new"))
      try await Self.kept(1, by: stage)
      #expect(try await stage.update(id) == .newData("new"))
    }
    #expect(stage.host.health(of: id).failures.isEmpty)
  }

  @Test func `finishes what it began while a newer version takes what comes`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "warm", in: folder,
      """
      while params["displayMode"] == "expanded" and not os.path.exists(directories["container"] + "/go"):
          time.sleep(0.01)
      show("old")
      """)
    let stage = try Self.stage(folder)
    try await Self.running(stage) {
      try await stage.host.prewarm(id)
      async let slow = stage.host.withExtension(id) {
        try await $0.performUpdate(displayMode: .expanded, requests: stage.requests, deadline: .seconds(30))
      }
      while await stage.host.freeProcesses != 0 { await Task.yield() }
      try Script.install("warm", in: folder, version: "2", "show(\"new\")")
      #expect(try await stage.update(id) == .newData("new"))
      try folder.write("home/containers/\(id)/go", "")
      #expect(try await slow == .newData("old"))
    }
  }

  @Test func `goes on when the newer version does not start, and the reason is kept`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("warm", in: folder, "show(\"old\")")
    let stage = try Self.stage(folder)
    try await Self.running(stage) {
      try await stage.host.prewarm(id)
      #expect(try await stage.update(id) == .newData("old"))
      try Script.install("warm", in: folder, version: "2", prelude: "sys.exit(7)", "pass")
      for _ in 0..<3 { #expect(try await stage.update(id) == .newData("old")) }
      let failure = try #require(stage.host.health(of: id).lastFailure)
      #expect(failure.status == 7)
      #expect(failure.message.hasSuffix("Version 1 stays in use."), "\(failure.message)")
      #expect(stage.host.health(of: id).failures.count == 1, "it is tried once")
      try Script.install("warm", in: folder, version: "3", "show(\"newest\")")
      #expect(try await stage.update(id) == .newData("newest"))
    }
  }
}
