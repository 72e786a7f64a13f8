import AppExtensions
import ExtensionHosting
import HostServices
import JSON
import JSONRPC
import Testing

/// What a report of a symbol leaves in the log, and how long a symbol may be.
@Suite(.timeLimit(.minutes(1)))
struct `A report of a symbol` {
  private let log = KeptLog()

  @Test func `is logged for each process, and again for the next`() async throws {
    let service = APIService(log: log)
    let peer = ScriptedPeer()
    let fork = API.Report(symbol: "fork")
    try await Stage(services: [service]).withPeer(peer) { _ in
      #expect(try await peer.call(fork).allowed == false)
      let other = ScriptedPeer()
      try await Stage(services: [service]).withPeer(other) { _ in
        for _ in 0..<2 {
          let answer = try await other.call(fork)
          #expect(!answer.allowed)
        }
      }
      #expect(log.lines.count == 2)
      // The end of the other is not its own.
      let answer = try await peer.call(fork)
      #expect(!answer.allowed && log.lines.count == 2)
      let line = try #require(log.lines.first)
      #expect(line.metadata["extension.id"] == "com.example.test.extension")
      #expect(line.metadata["reason"] == .string(answer.reason ?? ""))
      #expect(line.metadata["instead"] == .string(answer.replacement ?? ""))
    }
  }

  @Test(
    arguments: [
      (String(repeating: "x", count: 256), nil), (String(repeating: "é", count: 128), nil), ("x", nil),
      (String(repeating: "é", count: 128) + "x", "257"), (String(repeating: "e\u{301}", count: 86), "258"), ("", "0"),
    ] as [(String, String?)])
  func `names a symbol of some bytes`(symbol: String, count: String?) async throws {
    let peer = ScriptedPeer()
    try await Stage(services: [APIService(log: log)]).withPeer(peer) { _ in
      do {
        let answer = try await peer.call(API.Report(symbol: symbol))
        #expect(count == nil && answer == API.Report.Result(allowed: true))
      } catch let error as ExtensionError {
        #expect(error.code == .invalidParams)
        #expect(error.message == "The symbol has \(count ?? "no") bytes; it may have 1 to 256.")
      }
    }
    #expect(log.lines.isEmpty)
  }
}
