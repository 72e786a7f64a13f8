import JSONRPC
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON
import Testing

/// What a host remembers of processes that fail, and what it does then.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A failing extension` {
  private static let impatient: @Sendable (inout ExtensionHost.Deadlines) -> Void = {
    $0.backOff = .zero
    $0.termination = .milliseconds(200)
  }

  /// A host with one widget of the test's own.
  private func stage(
    _ body: String, deadlines: (inout ExtensionHost.Deadlines) -> Void = impatient
  ) throws -> (stage: Stage, id: String) {
    let folder = try TemporaryFolder()
    let id = try Script.install("failing", in: folder, body)
    return (try Stage(folder, deadlines: deadlines), id)
  }

  @Test func `is remembered with everything that is known`() async throws {
    let (stage, id) = try stage("print(\"a hint\", file=sys.stderr); sys.exit(3)")
    let error = try await stage.failure(of: id)
    let failure = try #require(stage.host.health(of: id).lastFailure)
    #expect(failure.kind == .exited)
    #expect(failure.status == 3)
    #expect(failure.method == "widget/performUpdate")
    #expect(failure.message == error.message)
    #expect(failure.standardError == ["a hint"])
    #expect(failure.version == "1")
    #expect(stage.host.health(of: id).consecutive == 1)
  }

  @Test func `may not start again at once, and another one may`() async throws {
    let (stage, id) = try stage("sys.exit(3)")
    _ = try await stage.failure(of: id)
    let error = try await stage.refusal(of: id)
    #expect(error.code == .quarantined)
    #expect(error.details["until"]?.isNumber == true)
    #expect(
      error.details["reason"] == .string("failing exited with status 3, before it answered widget/performUpdate."))
    #expect(try await stage.update("com.example.fixtures.stubborn") == .newData("Still here"))
  }

  @Test func `starts after its back-off, when that is short`() async throws {
    let (stage, id) = try stage(
      """
      path = directories["container"] + "/failed"
      if os.path.exists(path): show("mended")
      else:
          open(path, "w").close()
          sys.exit(3)
      """
    ) { $0.backOff = .seconds(8) }
    let start = ContinuousClock.now
    _ = try await stage.failure(of: id)
    #expect(try await stage.update(id) == .newData("mended"))
    #expect(ContinuousClock.now - start > .milliseconds(900))
    #expect(!stage.host.health(of: id).isFailing)
  }

  @Test func `is disabled after five failures, by several hosts, until it is reset`() async throws {
    let (stage, id) = try stage("sys.exit(3)")
    for _ in 0..<5 {
      let other = try Stage(stage.folder, deadlines: Self.impatient)
      #expect(try await other.failure(of: id).code == .peerExited)
      try await other.host.restart(id)
    }
    let error = try await stage.failure(of: id)
    #expect(error.code == .quarantined)
    #expect(error.details["until"] == .null)
    #expect(error.recovery?.contains("ExtensionHost.reset") == true)
    try await stage.host.reset(id)
    #expect(try await stage.failure(of: id).code == .peerExited)
  }

  @Test func `does not start when it was disabled while it waited for its turn`() async throws {
    let (other, id) = try stage("sys.exit(3)")
    var capacity = ExtensionHost.Capacity()
    capacity.processes = 1
    let stage = try Stage(other.folder, capacity: capacity, deadlines: Self.impatient)
    let opens = Flag()
    let goOn = Flag()
    let holder = Task {
      try await stage.host.withExtension("com.example.fixtures.lengthy") { _ in
        opens.set()
        while !goOn.isSet { await Task.yield() }
      }
    }
    while !opens.isSet { await Task.yield() }
    let waits = Task { try await stage.failure(of: id) }
    while await stage.host.metrics().waitingRequests == 0 { await Task.yield() }
    while other.host.health(of: id).failures.count < 5 {
      _ = try await other.failure(of: id)
      try await other.host.restart(id)
    }
    goOn.set()
    try await holder.value
    let error = try await waits.value
    #expect(error.code == .quarantined && error.details["until"] == .null, "\(error)")
    #expect(stage.host.health(of: id).failures.count == 5)
  }

  @Test func `may start when its executable is another one`() async throws {
    let (stage, id) = try stage("sys.exit(3)")
    _ = try await stage.failure(of: id)
    try Script.install("failing", in: stage.folder, "show(\"new\")")
    #expect(try await stage.update(id) == .newData("new"))
    #expect(!stage.host.health(of: id).isFailing)
  }

  @Test func `that only reports an error is well`() async throws {
    let (stage, id) = try stage("send({\"id\": request[\"id\"], \"error\": {\"code\": 7, \"message\": \"no\"}})")
    for _ in 0..<6 { #expect(try await stage.failure(of: id).code.number == 7) }
    #expect(stage.host.health(of: id).failures.isEmpty)
  }

  @Test func `that speaks an old protocol may try again`() async throws {
    let stage = try Stage(deadlines: Self.impatient)
    for _ in 0..<2 {
      #expect(try await stage.failure(of: "com.example.fixtures.oldtimer").code == .versionUnsupported)
    }
    #expect(stage.host.health(of: "com.example.fixtures.oldtimer").lastFailure?.kind == .versionMismatch)
  }

  @Test func `that does not shake hands is ended by force`() async throws {
    let stage = try Stage {
      Self.impatient(&$0)
      $0.handshake = .milliseconds(300)
      $0.slowLaunch = .milliseconds(50)
    }
    _ = try await stage.failure(of: "com.example.fixtures.hanger")
    #expect(stage.host.health(of: "com.example.fixtures.hanger").lastFailure?.kind == .handshakeTimeout)
    #expect(stage.log.messages(of: "com.example.fixtures.hanger").contains("slow to start"))
  }

  @Test func `is counted`() async throws {
    let (stage, id) = try stage("show(1)")
    for _ in 0..<3 { _ = try await stage.update(id) }
    let statistics = StatisticsStore(StateDirectory(path: stage.home)).statistics(of: id)
    #expect(statistics.launches == 3)
    #expect(statistics.failures == 0)
    #expect(statistics.launch.count == 3)
    #expect(statistics.calls["widget/performUpdate"]?.latency.count == 3)
  }

  @Test func `is ended when another host asks for a restart`() async throws {
    let (stage, id) = try stage("time.sleep(300)") {
      Self.impatient(&$0)
      $0.look = .milliseconds(50)
    }
    async let failure = stage.failure(of: id, deadline: .seconds(300))
    while Processes.running("\(stage.folder.path)/Plugins/failing.py").isEmpty { await Task.yield() }
    _ = try await HealthStore(StateDirectory(path: stage.home)).restart(id)
    #expect(try await failure.code == .cancelled)
    #expect(stage.host.health(of: id).failures.isEmpty)
    #expect(stage.scratchFolders.isEmpty)
  }
}

extension JSONValue {
  var isNumber: Bool {
    switch self {
    case .integer, .double: true
    default: false
    }
  }
}
