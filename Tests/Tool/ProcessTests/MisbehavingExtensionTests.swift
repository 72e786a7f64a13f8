import JSON
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A misbehaving extension` {
  @Test func `that crashes is named with its signal`() async throws {
    let error = try await Stage().failure(of: "com.example.fixtures.crasher")
    #expect(error.code == .peerExited)
    #expect(error.message == "Crasher crashed with SIGSEGV (bad memory access), before it answered initialize.")
    #expect(error.recovery != nil)
  }

  @Test func `that exits is named with its status`() async throws {
    let error = try await Stage().failure(of: "com.example.fixtures.quitter")
    #expect(error.code == .peerExited)
    #expect(error.message == "Quitter exited with status 3, before it answered widget/performUpdate.")
  }

  @Test func `that never answers the handshake ends at the deadline`() async throws {
    let stage = try Stage { $0.handshake = .milliseconds(300) }
    let start = ContinuousClock.now
    let error = try await stage.failure(of: "com.example.fixtures.hanger")
    #expect(error.code == .deadlineExceeded)
    #expect(error.message == "Hanger did not answer initialize within 0.3 s.")
    #expect(error.recovery?.contains("framing") == true)
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func `that never answers a request ends at the deadline`() async throws {
    let error = try await Stage().failure(of: "com.example.fixtures.dawdler", deadline: .milliseconds(200))
    #expect(error.code == .deadlineExceeded)
    #expect(error.message == "Dawdler did not answer widget/performUpdate within 0.2 s.")
  }

  @Test func `that writes garbage is quoted`() async throws {
    let error = try await Stage { $0.handshake = .seconds(6) }.failure(of: "com.example.fixtures.garbage")
    #expect(error.code == .deadlineExceeded)
    #expect(error.message.contains("It sent bytes that are not a message"))
    #expect(error.message.contains("\\u{1c}"), "the bytes are escaped: \(error.message)")
    #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }

  @Test func `that chatters between its answers is understood`() async throws {
    let stage = try Stage()
    #expect(try await stage.update("com.example.fixtures.chatterbox") == .newData("Said between the noise"))
    let lines = stage.log.lines.filter { $0.message == "stderr" }
    #expect(lines.count > 100)
    #expect(lines.allSatisfy { $0.metadata["extension.id"] == .string("com.example.fixtures.chatterbox") })
    let texts = lines.compactMap { if case .string(let text) = $0.metadata["line"] { text } else { nil } }
    #expect(texts.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\t" } })
    #expect(texts.contains { $0.contains("\\u{1b}[2J") })
  }

  @Test func `that answers other questions is not believed`() async throws {
    let stage = try Stage()
    let error = try await stage.failure(of: "com.example.fixtures.liar", deadline: .seconds(6))
    #expect(error.code == .deadlineExceeded)
    #expect(stage.log.messages(of: "com.example.fixtures.liar").contains("unexpected on the wire"))
  }

  @Test func `that speaks an old protocol is told which`() async throws {
    let error = try await Stage().failure(of: "com.example.fixtures.oldtimer")
    #expect(error.code == .versionUnsupported)
    #expect(error.message == "OldTimer speaks protocol 0.1; this host speaks 1.0.")
  }

  @Test func `that ignores every request to end is ended by force`() async throws {
    let stage = try Stage { $0.termination = .milliseconds(200) }
    let start = ContinuousClock.now
    #expect(try await stage.update("com.example.fixtures.stubborn") == .newData("Still here"))
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `gets no second process`() async throws {
    let view = try await Stage().update("com.example.fixtures.grandparent").view
    #expect(view?.text == "refused: Operation not permitted")
  }

  @Test func `completes a request once only`() async throws {
    let stage = try Stage()
    let outcome = try await stage.share("com.example.fixtures.doublecompleter", "A text")
    #expect(outcome == .completed([ExtensionItem(title: "first")]))
    let said = stage.log.messages(of: "com.example.fixtures.doublecompleter")
    #expect(said.contains("second completion: -32026"))
  }

  @Test func `is refused what its manifest does not name`() async throws {
    let view = try await Stage().update("com.example.fixtures.snoop").view
    #expect(
      view?.text
        == "url=schemeUnregistered content=-32022 suite=-32027 item=-32050 request=-32025 unknown=-32601")
  }

  @Test func `is refused what its point does not allow`() async throws {
    let outcome = try await Stage().share("com.example.fixtures.snoopshare", "A text")
    #expect(
      outcome
        == .completed([
          ExtensionItem(
            title: "url=-32024 content=-32022 suite=-32027 item=-32050 request=-32025 unknown=-32601")
        ]))
  }

  @Test func `does not disturb another`() async throws {
    let stage = try Stage { $0.handshake = .seconds(12) }
    async let crash = stage.failure(of: "com.example.fixtures.crasher")
    async let hang = stage.failure(of: "com.example.fixtures.hanger")
    async let good = stage.update("com.example.adventures.visits", deadline: .seconds(20))
    #expect(try await good == .newData("Visit 1"))
    #expect(try await crash.code == .peerExited)
    #expect(try await hang.code == .deadlineExceeded)
  }
}

/// Misbehaviour that needs no program in C: one line of Python each.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Script.isAvailable))
struct `An ill-mannered extension` {
  private func failure(_ body: String, deadline: Duration = .seconds(10)) async throws -> (ExtensionError, Stage) {
    let folder = try TemporaryFolder()
    let id = try Script.install("rude", in: folder, body)
    let stage = try Stage(folder) { $0.termination = .milliseconds(200) }
    return (try await stage.failure(of: id, deadline: deadline), stage)
  }

  @Test func `that raises shows its last words`() async throws {
    let (error, _) = try await failure("raise ValueError(\"last words\")")
    #expect(error.code == .peerExited)
    #expect(error.message == "rude exited with status 1, before it answered widget/performUpdate.")
    guard case .array(let lines) = error.details["standardError"] else { throw UnexpectedSuccess(result: "\(error)") }
    #expect(lines.last == "ValueError: last words")
  }

  @Test(arguments: ["answer({\"result\": \"splendid\"})", "answer(None)", "answer([1, 2])", "answer({})"])
  func `that answers with the wrong shape is not believed`(body: String) async throws {
    let (error, _) = try await failure(body)
    #expect(error.code == .protocolViolation)
    #expect(error.message.hasPrefix("rude answered widget/performUpdate wrongly."), "\(error)")
  }

  @Test func `that answers with an error is quoted`() async throws {
    let (error, _) = try await failure(
      "send({\"id\": request[\"id\"], \"error\": {\"code\": 7, \"message\": \"not today\\u001b[31m\"}})")
    #expect(error.code.number == 7)
    #expect(error.message.hasPrefix("not today"))
  }

  @Test func `that sends a message without end is cut off`() async throws {
    let (error, stage) = try await failure("while True: sys.stdout.write(\"x\" * 65536)")
    #expect(error.code == .protocolViolation, "\(error)")
    #expect(error.message.hasPrefix("rude was cut off, before it answered widget/performUpdate."), "\(error)")
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `that floods the host with requests is answered, and ends`() async throws {
    let (error, stage) = try await failure(
      """
      for number in range(5000):
          send({"id": number, "method": "$/ping", "params": {}})
      sys.exit(4)
      """, deadline: .seconds(50))
    #expect(error.code == .peerExited, "\(error)")
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `that floods the host with requests that are refused is read slowly`() async throws {
    let (error, stage) = try await failure(
      """
      for number in range(400):
          send({"method": "$/log", "params": {"level": "warning", "message": "flood"}})
      for number in range(20000):
          send({"id": number, "method": "$/log", "params": {"level": "warning", "message": "flood"}})
      sys.exit(4)
      """)
    // It reads no answers, so it may be given up for that before it comes to its end.
    #expect([.peerExited, .protocolViolation, .deadlineExceeded].contains(error.code), "\(error)")
    // Nobody reads thousands of warnings.
    let warnings = stage.log.lines.filter { $0.level >= .warning }
    #expect(warnings.count < 300, "\(warnings.count)")
    #expect(warnings.contains { $0.message.hasSuffix("lines left out") })
  }

  @Test func `that makes the host keep too much is ended with figure and ceiling`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "greedy", point: "com.apple.services", in: folder, attributes: Script.takesText,
      """
      if method == "context/beginRequest":
          answer({"accepted": True})
          for number in range(60):
              items = [{"attributedTitle": "x" * 3900000, "attachments": []}]
              send({"id": number, "method": "context/expiringActivity/begin", "params": {"items": items}})
              send({"id": "s%d" % number, "method": "defaults/observe", "params": {"suite": "none", "prefix": "x" * 3900000}})
              send({"method": "$/stream/open", "params": {"streamID": "s%d" % number}})
              send({"method": "$/stream/end", "params": {
                  "streamID": "s%d" % number, "error": {"code": 1, "message": "x" * 3900000}}})
          sys.stdin.read()
      else: answer({})
      """)
    let stage = try Stage(folder)
    let error = await #expect(throws: ExtensionError.self) {
      try await stage.host.withExtension(id) { process in
        _ = try await process.call(
          Request.Begin(requestID: "r", point: process.caller.identity.point, inputItems: []), deadline: .seconds(240))
        _ = try await process.call(Ping(), deadline: .seconds(240))
      }
    }
    #expect(error?.code == .peerExited, "\(error as Any)")
    #expect(error?.details["reason"] == "hostMemory")
    #expect(error?.details["ceiling"] == .integer(128 << 20))
    #expect(error?.message.contains("of it, and 128 MiB are allowed") == true, "\(error as Any)")
    let failure = stage.host.health(of: id).lastFailure
    #expect(failure?.kind == .hostMemory)
    #expect(failure?.exit == "hostMemory")
    #expect(failure?.measure?.ceiling == 128 << 20)
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `that floods the host with notifications and exits fails its request at once`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "rude", in: folder,
      """
      sys.stdout.write("{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"n\\"}\\n" * 3500)
      sys.stdout.flush()
      os._exit(4)
      """)
    let stage = try Stage(folder)
    let (error, time) = try await stage.host.withExtension(id) { process in
      let start = ContinuousClock.now
      let error = await #expect(throws: ExtensionError.self) { try await process.performUpdate(deadline: .seconds(50)) }
      return (try #require(error), ContinuousClock.now - start)
    }
    #expect(error.code == .peerExited, "\(error)")
    #expect(error.message == "rude exited with status 4, before it answered widget/performUpdate.")
    // At 200 notifications a second it would take some ten seconds to read what is left.
    #expect(time < .seconds(8))
  }

  @Test func `that ends between its answer and its completion fails the request`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "quitting", point: "com.apple.share-services", in: folder, attributes: Script.takesText,
      """
      if method == "context/beginRequest": answer({"accepted": True})
      elif method == "share/validateContent": answer({"isValid": True})
      elif method == "share/didSelectPost":
          answer({})
          sys.exit(5)
      """)
    let stage = try Stage(folder)
    do {
      let outcome = try await stage.share(id, "A text")
      throw UnexpectedSuccess(result: "\(outcome)")
    } catch let error as ExtensionError {
      #expect(error.code == .peerExited)
      #expect(error.message == "quitting exited with status 5, before it ended the request.")
    }
  }
}
