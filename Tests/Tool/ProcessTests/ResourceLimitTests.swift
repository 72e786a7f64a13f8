import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices
import JSON
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A glutton` {
  @Test(arguments: ["memory-slowly", "half-ended", "page-tables"])
  func `that takes memory is ended with the figure and the ceiling`(order: String) async throws {
    let error = try await Glutton(order).failure()
    #expect(error.code == .peerExited && error.reason == "memory", "\(error)")
    #expect(error.ceiling == 24 << 20)
    #expect(try #require(error.figure) > 24 << 20)
    #expect(error.message.hasPrefix("Glutton was ended for its memory: it used "), "\(error.message)")
    #expect(error.message.hasSuffix("and 24 MiB are allowed, before it answered widget/performUpdate."))
    #expect(error.recovery?.contains("less memory") == true)
  }

  @Test func `gets no memory that is shared without a file`() async throws {
    #expect(try await Glutton("shared-memory").outcome() == "0 MiB")
  }

  @Test func `that takes memory at once gets no more than the kernel gives`() async throws {
    let error = try await Glutton("memory").failure()
    #expect(error.reason == "memory", "\(error)")
    #expect(try #require(error.figure) <= 288 << 20)
  }

  /// In a process of its own, and with a ceiling beyond what the tests themselves have had: the kernel counts the peak of
  /// a host as that of its children, so that a smaller one would be no sign.
  @Test func `whose memory is refused crashes, and the ceiling is named`() async {
    await #expect(processExitsWith: .success) {
      let error = try await Glutton("address-space") { $0.memory = 512 << 20 }.failure()
      #expect(["crashed", "memory"].contains(error.reason), "\(error)")
      #expect(error.ceiling == 512 << 20)
      #expect(error.message.contains("512 MiB"))
    }
  }

  @Test func `that has no stack left crashes`() async throws {
    let error = try await Glutton("stack").failure()
    #expect(error.reason == "crashed" && error.message.contains("SIGSEGV"), "\(error)")
  }

  @Test func `that kills itself is not said to have used too much`() async throws {
    let error = try await Glutton("itself").failure()
    #expect(error.reason == "crashed" && error.details["signal"] == 9, "\(error)")
    #expect(error.ceiling == nil)
  }

  @Test func `that starts too many threads is ended, or gets no more`() async throws {
    let glutton = try Glutton("threads later") { $0.threads = 20 }
    // Where the host is root the kernel counts the threads of all extensions of an app, and the host those of one.
    guard geteuid() == 0 else {
      let outcome = try await Glutton("threads") { $0.threads = 20 }.outcome()
      return #expect(outcome == "20 threads")
    }
    let reason = try await glutton.endAfterRequest()
    guard case .threads(let used, ceiling: 20) = reason else { throw UnexpectedSuccess(result: "\(reason)") }
    #expect(used > 20 && used < 200)
  }

  @Test func `gets the descriptors of its limit`() async throws {
    let outcome = try await Glutton("descriptors") { $0.descriptors = 40 }.outcome()
    #expect(outcome == "40 descriptors, then Too many open files")
  }

  @Test func `gets no file beyond its limit`() async throws {
    let outcome = try await Glutton("one-file") { $0.fileSize = 4 << 20 }.outcome()
    #expect(outcome == "4 MiB, then File too large")
  }

  @Test func `gets no sparse file beyond its limit`() async throws {
    #expect(try await Glutton("one-sparse-file").outcome() == "File too large")
  }

  @Test func `that works too long for one request is ended`() async throws {
    let error = try await Glutton("processors") { $0.requestCPU = .milliseconds(400) }.failure()
    #expect(error.reason == "cpu" && error.ceiling == 400, "\(error)")
    #expect(error.message.contains("for one request, and 0.4 s are allowed"))
  }

  @Test func `that works between requests is ended, and leaves nothing`() async throws {
    let glutton = try Glutton("processors later") { $0.idleCPU = .milliseconds(300) }
    let reason = try await glutton.endAfterRequest()
    guard case .cpu(let used, let ceiling, let isIdle) = reason else {
      throw UnexpectedSuccess(result: "\(reason)")
    }
    #expect(used > ceiling && ceiling == .milliseconds(300) && isIdle)
    #expect(glutton.stage.log.messages(of: Glutton.id).contains("ended at a limit"))
    #expect(glutton.stage.scratchFolders.isEmpty)
    #expect(Processes.running(glutton.folder.path).isEmpty)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A glutton for files` {
  private func excess(_ order: String, _ limits: @escaping (inout ExtensionLimits) -> Void) async throws -> Glutton {
    let glutton = try Glutton(order, limits)
    let error = try await glutton.failure()
    #expect(error.reason == "diskQuota", "\(error)")
    #expect(try #require(error.figure) > #require(error.ceiling))
    #expect(error.details["folder"] == .string(glutton.container))
    #expect(error.message.contains("was ended for its files: \(glutton.container) holds"))
    return glutton
  }

  @Test func `is ended for bytes, and not started again before some are gone`() async throws {
    let glutton = try await excess("bytes") { $0.containerSize = 16 << 20 }
    let error = try await glutton.failure()
    #expect(error.code == .limitExceeded && error.reason == "diskQuota", "\(error)")
    #expect(error.message.hasPrefix("Glutton was not started: \(glutton.container) holds "))
    #expect(error.recovery?.contains("Remove files from \(glutton.container)") == true)
    #expect(glutton.stage.scratchFolders.isEmpty)
    for number in 0..<8 { try glutton.folder.remove("home/containers/\(Glutton.id)/file-\(number)") }
    try glutton.folder.write("home/containers/\(Glutton.id)/order", "nothing")
    #expect(try await glutton.outcome() == "nothing")
  }

  @Test func `is ended for the length of files that are all holes`() async throws {
    _ = try await excess("sparse-bytes") { $0.containerSize = 64 << 20 }
  }

  @Test(arguments: ["bytes-quietly", "unlinked", "mapped"])
  func `is ended for bytes that it takes in no time, or under no name`(order: String) async throws {
    _ = try await excess(order) { $0.containerSize = 16 << 20 }
  }

  @Test func `is ended for twenty thousand files`() async throws { _ = try await excess("files") { _ in } }

  @Test func `that leaves a maze is counted and cleared away`() async throws {
    let glutton = try Glutton("maze") { $0.containerFiles = 1400 }
    do {
      #expect(try await glutton.outcome() == "1500 deep, 3 refused")
    } catch let error as ExtensionError {
      // The host may look before it has answered.
      #expect(error.ceiling == 1400, "\(error)")
    }
    let error = try await glutton.failure()
    #expect(error.code == .limitExceeded && error.ceiling == 1400, "\(error)")
    try StateDirectory.remove(glutton.container)
    #expect(!FileManager.default.fileExists(atPath: glutton.container))
  }
}

@Suite(.timeLimit(.minutes(3)))
struct `A host of gluttons` {
  @Test func `serves another extension meanwhile`() async throws {
    let glutton = try Glutton("processors") { $0.requestCPU = .seconds(2) }
    async let end = glutton.failure()
    let requests = glutton.stage.requests
    try await glutton.stage.host.withExtension("com.example.adventures.visits") { visits in
      for _ in 0..<20 {
        // The deadline says that it is answered at all: how fast depends on what else the machine does.
        _ = try await visits.performUpdate(requests: requests, deadline: .seconds(20))
      }
    }
    let error = try await end
    #expect(error.reason == "cpu" && error.ceiling == 2000, "\(error)")
  }

  /// Each has its own identifier: after some failures of one, its host would no longer start it.
  @Test func `keeps neither processes nor descriptors of fifty`() async throws {
    let folder = try TemporaryFolder()
    let orders = ["memory", "processors", "itself", "stack", "half-ended"]
    let ids = try (0..<50).map { try Glutton.install("glutton\($0)", order: orders[$0 % orders.count], in: folder) }
    var limits = ExtensionLimits(memoryMiB: 24)
    limits.requestCPU = .milliseconds(200)
    let stage = try Stage(folder, limits: limits) { $0.handshake = .seconds(30) }
    _ = try await stage.failure(of: Glutton.install("first", order: "itself", in: folder), deadline: .seconds(30))
    let before = Processes.descriptorsBesideLoops
    let reasons = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
      for (number, id) in ids.enumerated() {
        group.addTask { (number, try await stage.failure(of: id, deadline: .seconds(40)).reason) }
      }
      return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    let expected = [["memory", "crashed"], ["cpu"], ["crashed"], ["crashed"], ["memory", "crashed"]]
    for number in 0..<50 {
      #expect(expected[number % orders.count].contains(reasons[number] ?? "none"), "\(number): \(reasons)")
    }
    #expect(Processes.running(folder.path).isEmpty)
    #expect(stage.scratchFolders.isEmpty)
    #expect(Processes.zombies.isEmpty)
    let after = Processes.descriptorsBesideLoops
    #expect(after <= before + 2, "\(after) after \(before)")
  }

  @Test func `warns before it ends`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "growing", in: folder,
      """
      hold = b"x" * (16 << 20)
      note = {}
      while note.get("method") != "memoryPressure": note = json.loads(sys.stdin.readline())
      show(json.dumps(note["params"]))
      """)
    let stage = try Stage(folder, limits: ExtensionLimits(memoryMiB: 24))
    let text = try #require(try await stage.update(id, deadline: .seconds(30)).view?.text)
    let warning = try JSONValue(parsing: text)
    #expect(warning["level"] == "warning" && warning["limit"] == .integer(24 << 20), "\(text)")
    guard case .integer(let usage) = warning["usage"] else { throw UnexpectedSuccess(result: text) }
    #expect(usage > 19 << 20 && usage < 24 << 20)
  }
}

/// A host that is no root, as most are: it sees its extensions all the same.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: geteuid() != 0 || OrdinaryUser.isPossible, "needs a build that every user can reach"))
struct `A host of an ordinary user` {
  private func end(_ order: String, manifests: String = Build.fixtures) async throws -> JSONValue? {
    let folder = try TemporaryFolder()
    try folder.write("home/containers/\(Glutton.id)/order", order)
    let output = try await OrdinaryUser.run(["today", Glutton.id, "--json", "--manifests", manifests], in: folder)
    #expect(Processes.running(folder.path).isEmpty)
    #expect(output.status != 0, "\(output)")
    return try output.json.arrayValue?.first?["error"]?["details"]
  }

  @Test(arguments: ["memory-slowly", "half-ended"])
  func `ends who takes too much memory`(order: String) async throws {
    let details = try await end(order)
    #expect(details?["reason"] == "memory" && details?["ceiling"] == .integer(32 << 20), "\(order): \(details as Any)")
  }

  /// What is only mapped may be as large as a file may be: an ordinary user cannot see more of it.
  @Test(arguments: ["closed", "mapped"])
  func `ends who keeps too much where it is hard to look`(order: String) async throws {
    let details = try await end(order)
    #expect(details?["reason"] == "diskQuota", "\(order): \(details as Any)")
    #expect(details?["ceiling"] == .integer(256 << 20))
  }
}
