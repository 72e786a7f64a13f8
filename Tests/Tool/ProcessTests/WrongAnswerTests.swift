import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON
import JSONRPC
import Testing

/// What an extension says of itself is no finding of the host's, and an answer that is none is a failure.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `An extension that answers wrongly` {
  private static let forged = """
    {"code": CODE, "message": "forged " + "x" * 100000, "data": {"name": "peerExited", "recovery": "rm -rf /",
      "details": {"reason": "crashed", "signal": 11, "stage": "forged", "standardError": ["forged"] * 1000,
      "wire": "y" * 2000000, "extension": "com.example.other"}}}
    """

  private func stage(_ body: String, prelude: String = "") throws -> (stage: Stage, id: String) {
    let folder = try TemporaryFolder()
    let id = try Script.install("wrong", in: folder, prelude: prelude, body)
    let stage = try Stage(folder) {
      $0.backOff = .zero
      $0.termination = .milliseconds(200)
    }
    return (stage, id)
  }

  /// The prelude of an extension that answers `initialize` with something of its own.
  private func handshake(_ member: String) -> String {
    "request = json.loads(sys.stdin.readline()); send({\"id\": request[\"id\"], \(member)})"
  }

  @Test(arguments: [-32001, -32006, -32011, -32012, -32010, -32028, -32800])
  func `leaves no post-mortem of its own making`(code: Int) async throws {
    let (stage, id) = try stage(
      "send({\"id\": request[\"id\"], \"error\": \(Self.forged.replacing("CODE", with: "\(code)"))})")
    let error = try await stage.failure(of: id)
    #expect(error.isClaim && error.code == .handlerFailed, "\(error.code)")
    #expect(error.details["extension"] == .string(id) && error.details["standardError"] == nil)
    let record = stage.host.health(of: id)
    #expect(record.failures.isEmpty && !record.isFailing, "\(record.failures.map(\.message.count))")
  }

  @Test(arguments: [-32001, -32011, -32020, 7])
  func `with an error to the handshake fails, with what the host found`(code: Int) async throws {
    let (stage, id) = try stage(
      "show(1)",
      prelude: handshake("\"error\": \(Self.forged.replacing("CODE", with: "\(code)").replacing("\n", with: " "))"))
    let error = try await stage.failure(of: id)
    #expect(error.code == .protocolViolation && !error.isClaim, "\(error.code)")
    #expect(error.message.hasPrefix("wrong answered initialize wrongly. It refused the handshake (\(code)): forged"))
    let failure = try #require(stage.host.health(of: id).lastFailure)
    #expect(failure.kind == .protocolViolation && failure.violation == "handshakeRefused")
    #expect(failure.method == "initialize" && failure.version == "1")
    #expect(failure.signal == nil && failure.stage == nil && failure.standardError.isEmpty && failure.wire == nil)
    #expect(failure.recovery?.contains("rm -rf") == false)
    #expect(failure.message.utf8.count < 2100)
  }

  @Test(arguments: ["\"result\": {}", "\"result\": None", "\"result\": {\"protocolVersion\": 1}", "\"error\": \"no\""])
  func `without a version fails, backs off, and is disabled after five`(member: String) async throws {
    let (stage, id) = try stage("show(1)", prelude: handshake(member))
    for _ in 0..<5 {
      let error = try await stage.failure(of: id)
      #expect(error.code == .protocolViolation, "\(error)")
      #expect(error.message.hasPrefix("wrong answered initialize wrongly."), "\(error)")
      #expect(stage.host.health(of: id).consecutive == 1, "it backs off")
      try await stage.host.restart(id)
    }
    #expect(stage.host.health(of: id).quarantine != nil)
    #expect(stage.host.health(of: id).lastFailure?.violation == "wrongAnswer")
  }

  @Test(arguments: [
    "answer({\"result\": \"splendid\"})", "answer([1])", "answer({\"result\": \"newData\", \"view\": 5})",
  ])
  func `to a request fails, and its host says what was wrong`(body: String) async throws {
    let (stage, id) = try stage(body)
    let error = try await stage.failure(of: id)
    #expect(error.code == .protocolViolation, "\(error)")
    #expect(error.message.hasPrefix("wrong answered widget/performUpdate wrongly."), "\(error)")
    let failure = try #require(stage.host.health(of: id).lastFailure)
    #expect(failure.message == error.message && failure.violation == "wrongAnswer")
    #expect(try await stage.refusal(of: id).code == .quarantined)
  }

  @Test(arguments: [#"{"view": "a\nb"}"#, #"{"view": "a"#])
  func `with broken JSON fails at once, and is told so`(result: String) async throws {
    let (stage, id) = try stage(
      #"""
      sys.stdout.write('{"jsonrpc":"2.0","id":%d,"result":\#(result)}\n' % request["id"])
      sys.stdout.flush()
      told = json.loads(sys.stdin.readline())
      open(directories["container"] + "/told", "w").write(str([told["id"], told["error"]["code"]]))
      """#)
    let start = ContinuousClock.now
    let error = try await stage.failure(of: id, deadline: .seconds(50))
    #expect(ContinuousClock.now - start < .seconds(40))
    #expect(error.code == .protocolViolation, "\(error)")
    #expect(
      error.message.hasPrefix("wrong answered widget/performUpdate wrongly. The answer is not JSON: "), "\(error)")
    #expect(stage.host.health(of: id).lastFailure?.violation == "wrongAnswer")
    #expect(stage.folder.contents("home/containers/\(id)/told") == "[None, -32700]")
  }

  @Test func `with broken JSON behind a length fails at once too, with the id at the end`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "wrong", in: folder, annex: "<key>Framing</key><string>content-length</string>",
      prelude: #"""
        def take():
            length = int(sys.stdin.buffer.readline().split(b":")[1])
            sys.stdin.buffer.readline()
            return json.loads(sys.stdin.buffer.read(length))
        def give(text):
            sys.stdout.write("Content-Length: %d\r\n\r\n%s" % (len(text), text))
            sys.stdout.flush()
        give('{"jsonrpc":"2.0","id":%d,"result":{"protocolVersion":"1.0"}}' % take()["id"])
        while True:
            message = take()
            if message.get("method") == "widget/performUpdate":
                give('{"jsonrpc":"2.0","result":{"view":tru},"id":%d}' % message["id"])
            if message.get("method") == "terminate":
                give('{"jsonrpc":"2.0","id":%d,"result":{}}' % message["id"])
                sys.exit(0)
        """#, "pass")
    let stage = try Stage(folder)
    let start = ContinuousClock.now
    let error = try await stage.failure(of: id, deadline: .seconds(50))
    #expect(ContinuousClock.now - start < .seconds(40))
    #expect(error.code == .protocolViolation && error.message.contains("JSON"), "\(error)")
  }

  @Test func `with what a widget may not show fails too`() async throws {
    let (stage, id) = try stage(
      #"answer({"result": "newData", "view": {"rows": [{"kind": "input", "title": "Name"}]}})"#)
    #expect(try await stage.failure(of: id).code == .protocolViolation)
    #expect(stage.host.health(of: id).lastFailure?.message.contains("text input") == true)
  }

  /// Who calls may make do with less.
  @Test func `counts although nobody minds`() async throws {
    let (stage, id) = try stage("answer([1])")
    try await stage.host.withExtension(id) { process in
      _ = try? await process.performUpdate(requests: stage.requests)
    }
    #expect(stage.host.health(of: id).lastFailure?.violation == "wrongAnswer")
    #expect(stage.host.health(of: id).consecutive == 1)
  }
}

/// A folder in which nothing can be kept is no way out of quarantine.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A failure that cannot be written down` {
  @Test func `counts as long as its host runs`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("unkept", in: folder, "sys.exit(3)")
    // A file stands where the folder of the records would be.
    try folder.write("home/health", "")
    let stage = try Stage(folder) {
      $0.backOff = .seconds(8)
      $0.termination = .milliseconds(200)
    }
    let start = ContinuousClock.now
    for _ in 0..<3 { #expect(try await stage.failure(of: id).code == .peerExited, "it waited for its back-off") }
    // One second after the first, and two after the next.
    #expect(ContinuousClock.now - start > .milliseconds(2500))
    // Once something can be written, what was counted is.
    try folder.remove("home/health")
    _ = try await stage.failure(of: id)
    #expect(stage.host.health(of: id).consecutive == 4)
  }
}
