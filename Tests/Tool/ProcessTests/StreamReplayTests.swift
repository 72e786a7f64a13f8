import JSON
import ExtensionHosting
import ExtensionProtocol
import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A recording with streams` {
  /// Takes a stream, and sends it back in capitals, cut otherwise than it was recorded.
  private static let echo = """
    import base64
    def hear(name):
        while True:
            message = json.loads(sys.stdin.readline())
            if message.get("method", "").startswith("$/stream/"): return message["method"][9:], message["params"]
    def tell(name, **more): send({"method": "$/stream/" + name, "params": {"streamID": more.pop("id"), **more}})
    tell("ack", id=params["in"], credit=1 << 20)
    came = b""
    while True:
        kind, stream = hear("data")
        if kind == "data": came += base64.b64decode(stream["data"])
        if kind == "end": break
    tell("open", id="up")
    answer({"out": "up"})
    hear("ack")
    for seq, byte in enumerate(came.upper()):
        tell("data", id="up", seq=seq + 1, data=base64.b64encode(bytes([byte])).decode())
    tell("end", id="up")
    """

  private static func recording(_ id: String, answer: String) throws -> Recording {
    let frames = [
      #"toExtension {"id":1,"method":"initialize","params":{"protocolVersions":["1.0"],"directories":{}}}"#,
      #"toHost {"id":1,"result":{"protocolVersion":"1.0"}}"#,
      #"toExtension {"method":"$/stream/open","params":{"streamID":"s1"}}"#,
      #"toExtension {"id":2,"method":"work","params":{"in":"s1"}}"#,
      #"toHost {"method":"$/stream/ack","params":{"streamID":"s1","credit":1048576}}"#,
      #"toExtension {"method":"$/stream/data","params":{"streamID":"s1","seq":1,"data":"aGVs"}}"#,
      #"toExtension {"method":"$/stream/data","params":{"streamID":"s1","seq":2,"data":"bG8="}}"#,
      #"toExtension {"method":"$/stream/end","params":{"streamID":"s1"}}"#,
      #"toHost {"method":"$/stream/open","params":{"streamID":"up"}}"#, #"toHost {"id":2,"result":{"out":"up"}}"#,
      #"toExtension {"method":"$/stream/ack","params":{"streamID":"up","credit":262144}}"#,
      #"toHost {"method":"$/stream/data","params":{"streamID":"up","seq":1,"data":"\#(answer)"}}"#,
      #"toHost {"method":"$/stream/end","params":{"streamID":"up"}}"#,
    ]
    let lines = frames.map { line in
      let space = line.firstIndex(of: " ") ?? line.startIndex
      return #"{"extension":"\#(id)","direction":"\#(line[..<space])","frame":\#(line[space...])}"#
    }
    return try Recording(parsing: lines.joined(separator: "\n"), for: nil)
  }

  @Test func `does not wait for the end of one that goes on where it ended`() async throws {
    let folder = try TemporaryFolder()
    let endless = Self.echo.replacing("came.upper()", with: "came.upper() * 100")
      .replacing(#"tell("end", id="up")"#, with: #"hear("drop")"#)
    let id = try Script.install("endless", in: folder, endless)
    let stage = try Stage(folder)
    let target = try stage.registry.launchTarget(id)
    let found = try await stage.host.replay(try Self.recording(id, answer: "SEVMTE8="), with: target)
    #expect(found.map(\.message) == ["the stream up"])
    #expect(found.first?.replayed?.stringValue?.hasPrefix("HELLOH") == true, "\(found)")
  }

  @Test func `is played to an extension, and what comes back is compared`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("echo", in: folder, Self.echo)
    let stage = try Stage(folder)
    let target = try stage.registry.launchTarget(id)
    let same = try await stage.host.replay(try Self.recording(id, answer: "SEVMTE8="), with: target)
    #expect(same == [])
    let other = try await stage.host.replay(try Self.recording(id, answer: "SEVMUA=="), with: target)
    #expect(
      other == [
        ReplayDifference(
          kind: .changed, message: "the stream up", path: "chunks[0].text", recorded: "HELP", replayed: "HELLO")
      ])
  }
}
