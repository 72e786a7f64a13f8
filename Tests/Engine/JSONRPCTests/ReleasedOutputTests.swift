import JSON
import EventLoop
import Glibc
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An output that a connection has given back` {
  @Test func `may be closed and its number used again while the connection still ends`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (mine, peer) = try Pipes.crossed()
    let connection = Connection(on: loop, input: mine.input, output: mine.output)
    async let end = connection.run(handler: Peer())
    // More than the pipe takes: the connection waits for room.
    try await connection.notify("a", Text(text: String(repeating: "x", count: 2 << 20)))
    await connection.close(.finished)
    await connection.releaseOutput()
    mine.closeOutput()
    let (other, writer) = try Pipes.crossed()
    #expect(dup2(other.input, mine.output) == mine.output)
    let (heard, hear) = AsyncStream.makeStream(of: Void.self)
    loop.execute { _ = try? loop.watch(mine.output, for: .reading) { _ in hear.finish() } }
    #expect(await end == .finished)
    writer.write("well")
    for await _ in heard {}
    #expect(other.read() == "well")
    for pipes in [peer, other, writer] { pipes.closeBoth() }
    mine.closeInput()
    Pipes.close(mine.output)
  }

  @Test func `has got what waited for the end of the turn, and nothing waits for it any more`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    // The second one is more than the pipe takes.
    for texts in [["bye"], ["bye", String(repeating: "x", count: 2 << 20)]] {
      let (mine, peer) = try Pipes.crossed()
      let connection = Connection(on: loop, input: mine.input, output: mine.output)
      async let end = connection.run(handler: Peer())
      let waiting = try await connection.leaves(with: texts)
      #expect(waiting == 0)
      #expect(peer.read().hasPrefix(#"{"jsonrpc":"2.0","method":"last","params":["bye"]}"# + "\n"))
      #expect(await end == .finished)
      for pipes in [mine, peer] { pipes.closeBoth() }
    }
  }
}

extension Connection {
  /// Says something last, in the turn in which the output is given back; the bytes that wait then.
  fileprivate func leaves(with texts: [String]) throws -> Int {
    for text in texts { try post("last", [text]) }
    shutDown(.finished)
    releaseOutput()
    return outgoingBytes
  }
}
