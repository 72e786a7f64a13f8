import JSON
import ExtensionHosting
import ExtensionProtocol
import ExtensionTesting
import HostServices
import JSONRPC
import Testing

/// The deadlines of the host's calls, with a peer that answers when it is told to.
@Suite(.timeLimit(.minutes(1)))
struct `A soft deadline` {
  /// A method whose soft deadline is 100 ms and whose hard one is 2 s.
  private struct Key: RemoteMethod {
    static let method = "keyboard/input"
    static let deadline = RequestDeadline(soft: .milliseconds(100), hard: .seconds(2))
    typealias Result = Ping.Result
  }

  /// Answers every call when the work is done.
  private struct Slow: MessageHandler {
    var work: @Sendable () async throws -> Void

    func accept(
      _ message: borrowing IncomingMessage, on connection: Connection
    ) throws(ErrorObject) -> MessageWork? {
      switch message.method {
      case Initialize.method: return MessageWork { Reply.encoding(Initialize.Result(protocolVersion: "1.0")) }
      case Key.method:
        return MessageWork {
          try await work()
          return Reply.encoding(Ping.Result(nonce: nil, uptimeMs: 1))
        }
      default: return nil
      }
    }
  }

  private func slowLines(_ log: KeptLog) -> [KeptLog.Line] { log.lines.filter { $0.message == "slow to answer" } }

  @Test func `is logged once when it passes, and the call goes on`() async throws {
    let log = KeptLog()
    let gate = Gate()
    let peer = Slow { await gate.wait() }
    try await Stage(log: log).withPeer(peer, identity: .testing(point: .keyboard)) { process in
      async let answer = process.call(Key(), deadline: .seconds(50))
      while slowLines(log).isEmpty {
        try Task.checkCancellation()
        await Task.yield()
      }
      gate.open()
      let uptime = try await answer.uptimeMs
      #expect(uptime == 1)
    }
    let line = try #require(slowLines(log).first)
    #expect(slowLines(log).count == 1)
    #expect(line.level == .warning)
    #expect(line.metadata["rpc.method"] == "keyboard/input")
    #expect(line.metadata["limit"] == "0.1 seconds")
  }

  @Test func `says nothing of an answer in time`() async throws {
    let log = KeptLog()
    let slow = try await Stage(log: log).withPeer(Slow {}, identity: .testing(point: .keyboard)) { process in
      var slow = 0
      for _ in 0..<20 {
        let start = ContinuousClock.now
        _ = try await process.call(Key(), deadline: .seconds(50))
        // A loaded machine may be late itself.
        if ContinuousClock.now - start >= .milliseconds(100) { slow += 1 }
      }
      return slow
    }
    #expect(slowLines(log).count <= slow)
  }

  @Test func `hears progress, which never puts the hard one off`() async throws {
    let heard = KeptLog()
    let peer = Slow {
      let reporter = try #require(ProgressReporter.current)
      var step = 0.0
      while !Task.isCancelled {
        step += 1
        reporter.report(CallProgress(step))
        await Task.yield()
      }
    }
    let start = ContinuousClock.now
    let failure: ExtensionError? = try await Stage(log: KeptLog()).withPeer(peer, identity: .testing(point: .keyboard))
    { process in
      do throws(ExtensionError) {
        _ = try await process.call(Key(), deadline: .milliseconds(350)) {
          heard.log(.info, "heard", metadata: ["progress": .double($0.progress)])
        }
        return nil
      } catch {
        return error
      }
    }
    #expect(failure?.code == .deadlineExceeded)
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(heard.lines.count >= 2)
  }

  @Test func `leaves progress a sign of life where silence ends the call`() async throws {
    let rule = RequestDeadline(soft: .seconds(50), hard: .milliseconds(400), limit: .seconds(50))
    // At most ten reports a second go out.
    let peer = Slow {
      let reporter = try #require(ProgressReporter.current)
      let start = ContinuousClock.now
      var step = 0.0
      while ContinuousClock.now - start < .seconds(1) {
        step += 1
        reporter.report(CallProgress(step))
        await Task.yield()
      }
    }
    let answer = try await Stage(log: KeptLog()).withPeer(peer, identity: .testing(point: .keyboard)) { process in
      try await process.call(Key.method, params: [:], rule: rule)
    }
    #expect(answer["uptimeMs"] == 1)
  }
}
