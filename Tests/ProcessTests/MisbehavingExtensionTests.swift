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
    #expect(error.message == "Hanger did not answer initialize in time.")
    #expect(error.recovery?.contains("framing") == true)
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func `that never answers a request ends at the deadline`() async throws {
    let error = try await Stage().failure(of: "com.example.fixtures.dawdler", deadline: .milliseconds(200))
    #expect(error.code == .deadlineExceeded)
    #expect(error.message == "Dawdler did not answer widget/performUpdate in time.")
  }

  @Test func `that writes garbage is quoted`() async throws {
    let error = try await Stage { $0.handshake = .seconds(2) }.failure(of: "com.example.fixtures.garbage")
    #expect(error.code == .deadlineExceeded)
    #expect(error.message.contains("It sent bytes that are no message"))
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
    let error = try await stage.failure(of: "com.example.fixtures.liar", deadline: .seconds(1))
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
    let stage = try Stage { $0.handshake = .seconds(3) }
    async let crash = stage.failure(of: "com.example.fixtures.crasher")
    async let hang = stage.failure(of: "com.example.fixtures.hanger")
    async let good = stage.update("com.example.adventures.visits", deadline: .seconds(20))
    #expect(try await good == .newData("Visit 1"))
    #expect(try await crash.code == .peerExited)
    #expect(try await hang.code == .deadlineExceeded)
  }
}
