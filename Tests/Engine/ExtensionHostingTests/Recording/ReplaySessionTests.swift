import EventLoop
import ExtensionProtocol
import JSON
import JSONRPC
import Testing

@testable import ExtensionHosting

/// A recording that is played to a peer in this process.
@Suite(.timeLimit(.minutes(1)))
struct `A session of a replay` {
  /// Works as the recorded extension did, in a folder of its own.
  private struct Peer: MessageHandler {
    let out: String

    func accept(
      _ message: borrowing IncomingMessage, on connection: Connection
    ) throws(ErrorObject) -> MessageWork? {
      let params = try message.params.value() ?? .object([:])
      switch message.method {
      case Initialize.method: return MessageWork { Reply.encoding(JSONValue.object([:])) }
      case "work":
        return MessageWork { [out] in
          let path: JSONValue = ["path": "/p/s/x"]
          let answer = try await connection.call("get", path, returning: JSONValue.self, deadline: .seconds(20))
          let told: JSONValue = ["at": answer["at"] ?? .null, "file": params["file"] ?? .null]
          try await connection.notify("told", told)
          return Reply.encoding(["out": .string(out)] as JSONValue)
        }
      default: throw .methodNotFound(message.method)
      }
    }
  }

  private static let lines = [
    #"toExtension {"id":1,"method":"initialize","params":{"directories":{"scratch":"/r/s"}}}"#,
    #"toHost {"id":1,"result":{}}"#, #"toExtension {"id":2,"method":"work","params":{"file":"/r/s/in"}}"#,
    #"toHost {"id":1,"method":"get","params":{"path":"/r/s/x"}}"#, #"toExtension {"id":1,"result":{"at":"/r/s/y"}}"#,
    #"toHost {"method":"told","params":{"at":"/r/s/y","file":"/r/s/in"}}"#,
    #"toHost {"id":2,"result":{"out":"/r/s/o"}}"#,
  ]

  private func differences(of peer: Peer) async throws -> [ReplayDifference] {
    let text = Self.lines.map { line in
      let space = line.firstIndex(of: " ") ?? line.startIndex
      return #"{"extension":"e","direction":"\#(line[..<space])","frame":\#(line[space...])}"#
    }
    let recording = try Recording(parsing: text.joined(separator: "\n"), for: nil)
    let loop = EventLoop.onThread(name: "replay")
    defer { loop.stop() }
    let (near, far) = Connection.pair(on: loop)
    let session = ReplaySession(
      ReplayScript(recording),
      paths: PathSubstitution(
        recorded: ["scratch": "/r/s"], present: Initialize.Directories(scratch: "/p/s", container: "", groups: [:])))
    let calling = Task { await near.run(handler: session) }
    let answering = Task { await far.run(handler: peer) }
    let found = await session.play(over: near)
    for end in [near, far] { await end.close(.finished) }
    _ = await (calling.value, answering.value)
    for end in [near, far] { await end.closeDescriptors() }
    return found
  }

  @Test func `has the peer see its own folder, and the recording that of before`() async throws {
    #expect(try await differences(of: Peer(out: "/p/s/o")) == [])
    #expect(
      try await differences(of: Peer(out: "/p/s/q")) == [
        ReplayDifference(
          kind: .changed, message: "the answer to work", path: "result.out", recorded: "/r/s/o", replayed: "/r/s/q")
      ])
  }
}
