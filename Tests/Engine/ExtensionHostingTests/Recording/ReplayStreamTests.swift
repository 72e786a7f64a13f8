import JSON
import JSONRPC
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `A replay of streams` {
  /// The host sends two pieces to the extension, which sends three back: bytes, bytes and a value.
  private static let lines = [
    #"toExtension {"id":1,"method":"initialize","params":{}}"#, #"toHost {"id":1,"result":{}}"#,
    #"toExtension {"method":"$/stream/open","params":{"streamID":"s1"}}"#,
    #"toExtension {"id":2,"method":"work","params":{"in":"s1"}}"#,
    #"toHost {"method":"$/stream/ack","params":{"streamID":"s1","credit":9}}"#,
    #"toExtension {"method":"$/stream/data","params":{"streamID":"s1","seq":1,"data":"YWI="}}"#,
    #"toExtension {"method":"$/stream/data","params":{"streamID":"s1","seq":2,"data":"Yw=="}}"#,
    #"toExtension {"method":"$/stream/end","params":{"streamID":"s1"}}"#,
    #"toHost {"method":"$/stream/open","params":{"streamID":"s1"}}"#, #"toHost {"id":2,"result":{"out":"s1"}}"#,
    #"toExtension {"method":"$/stream/ack","params":{"streamID":"s1","credit":9}}"#,
    #"toHost {"method":"$/stream/data","params":{"streamID":"s1","seq":1,"data":"aGVs"}}"#,
    #"toHost {"method":"$/stream/data","params":{"streamID":"s1","seq":2,"data":"bG8="}}"#,
    #"toHost {"method":"$/stream/data","params":{"streamID":"s1","seq":3,"value":{"n":1}}}"#,
  ]
  private static let end =
    #"toHost {"method":"$/stream/end","params":{"streamID":"s1","error":{"code":-5,"message":"no more"}}}"#
  private static let drop = #"toExtension {"method":"$/stream/drop","params":{"streamID":"s1"}}"#

  private static func recording(_ lines: [String]) throws -> Recording {
    let text = lines.map { line in
      let space = line.firstIndex(of: " ") ?? line.startIndex
      return #"{"extension":"e","direction":"\#(line[..<space])","frame":\#(line[space...])}"#
    }
    return try Recording(parsing: text.joined(separator: "\n"), for: nil)
  }

  private static func contents(_ chunks: [StreamChunk], _ error: ErrorObject? = nil) -> StreamContents {
    var contents = StreamContents()
    for chunk in chunks { contents.append(chunk) }
    contents.error = error
    return contents
  }

  /// Plays the part of the extension up to the stream that it sends.
  private func play(_ lines: [String]) throws -> (script: ReplayScript, stream: RecordedStreams.Stream) {
    var script = ReplayScript(try Self.recording(lines))
    script.answered(try #require(script.due().first), with: .result([:]))
    let ready = script.due()
    #expect(ready.map(\.method) == ["$/stream/open", "work"])
    #expect(ready.first?.stream == .send(Self.contents([.bytes(Array("abc".utf8))])))
    script.answered(try #require(ready.last), with: .result(["out": "s1"]))
    let reading = script.due()
    guard reading.count == 1, case .read(let stream)? = reading[0].stream else { throw Unread() }
    #expect(stream.id == "s1" && !stream.isOfHost)
    return (script, stream)
  }

  private struct Unread: Error {}

  @Test func `sends what was sent, and finds no difference in the same, however it is cut`() throws {
    var (script, stream) = try play(Self.lines + [Self.end])
    #expect(!script.isDone)
    let came = Self.contents(
      [.bytes(Array("h".utf8)), .bytes(Array("ello".utf8)), .value(["n": 1])], ErrorObject(code: -5, message: "no more")
    )
    script.streamed(stream, came)
    #expect(script.isDone)
    #expect(script.differences == [])
  }

  @Test func `shows what else came, and where`() throws {
    var (script, stream) = try play(Self.lines + [Self.end])
    script.streamed(stream, Self.contents([.bytes(Array("help".utf8)), .value(["n": 2])]))
    #expect(
      script.differences == [
        ReplayDifference(
          kind: .changed, message: "the stream s1", path: "chunks[0].text", recorded: "hello", replayed: "help"),
        ReplayDifference(kind: .changed, message: "the stream s1", path: "chunks[1].value.n", recorded: 1, replayed: 2),
        ReplayDifference(
          kind: .changed, message: "the stream s1", path: "error",
          recorded: ["code": -5, "message": "no more"]),
      ])
  }

  @Test func `shows a stream that did not come`() throws {
    var (script, _) = try play(Self.lines + [Self.end])
    script.stalled()
    #expect(script.isDone)
    #expect(script.differences.map(\.kind) == [.missing])
    #expect(script.differences.first?.message == "the stream s1")
  }

  @Test func `compares as much as was read of one that the host gave up`() throws {
    var (script, stream) = try play(Array(Self.lines.dropLast()) + [Self.drop])
    #expect(stream.contents.isDropped && stream.contents.size == 5)
    script.streamed(stream, Self.contents([.bytes(Array("hello and more".utf8))]))
    #expect(script.isDone)
    #expect(script.differences == [])
  }

  @Test func `waits for none that nobody read`() throws {
    let lines = Self.lines.prefix(10)
    var script = ReplayScript(try Self.recording(Array(lines)))
    script.answered(try #require(script.due().first), with: .result([:]))
    script.answered(try #require(script.due().last), with: .result(["out": "s1"]))
    #expect(script.isDone)
  }

  @Test func `tells streams apart that have the same id one after the other`() throws {
    let again = Self.lines[8...13].filter { !$0.contains("result") } + [Self.end]
    let streams = RecordedStreams(try Self.recording(Self.lines + [Self.end] + again).frames)
    let read = (0..<40).flatMap { streams.actions(at: $0) }.compactMap { action -> RecordedStreams.Stream? in
      if case .read(let stream) = action { stream } else { nil }
    }
    #expect(read.map(\.contents.size) == [6, 6])
    #expect(Set(read.map(\.number)).count == 2)
  }

  @Test func `reads one from its opening on where its reader was there first, and reads it once`() throws {
    let (open, ack) = (Self.lines[8], Self.lines[10])
    let data = Array(Self.lines[11...13])
    /// The frames at which streams are read, and at which all of them has come.
    func frames(_ lines: [String]) throws -> [[Int]] {
      let streams = RecordedStreams(try Self.recording(lines).frames)
      var (read, complete): ([Int], [Int]) = ([], [])
      for frame in 0...lines.count {
        for action in streams.actions(at: frame) {
          switch action {
          case .read: read.append(frame)
          case .complete: complete.append(frame)
          case .send: Issue.record("The host has no stream.")
          }
        }
      }
      return [read, complete]
    }
    #expect(try frames([ack, open] + data + [Self.end]) == [[1], [5]])
    #expect(try frames([open, ack] + data + [ack, Self.end]) == [[1], [6]])
    // All of it had come before it was read; and the recording ended before it did.
    #expect(try frames([open] + data + [Self.end, ack]) == [[5], [5]])
    #expect(try frames([open, ack] + data) == [[1], [5]])
    // Nobody opened it, or read it.
    #expect(try frames([ack] + data + [Self.end]) == [[], []])
    #expect(try frames([open] + data + [Self.end]) == [[], []])
  }

  @Test func `is cut to what had come of one that was given up, in values and bytes`() {
    var given = Self.contents([.bytes([1, 2]), .value(1), .bytes([3])])
    let failure = ErrorObject(code: 1, message: "x")
    let whole = Self.contents([.bytes([1, 2]), .value(1), .bytes([3, 4]), .value(2)], failure)
    #expect(whole.cut(like: given) == whole)
    given.isDropped = true
    #expect(given.size == 4 && whole.size == 6)
    #expect(whole.cut(like: given) == given)
    var two = Self.contents([.bytes([1, 2])])
    two.isDropped = true
    #expect(whole.cut(like: two) == two && Self.contents([.bytes([1])]).cut(like: two).size == 1)
    // Of one that was given up it does not matter how it would have ended.
    #expect(whole.cut(like: two).value == ["chunks": [["text": "\u{1}\u{2}"]]])
  }

  @Test func `shows of long texts the part that differs`() {
    let (one, other) = (String(repeating: "a", count: 1000) + "x", String(repeating: "a", count: 1000) + "y")
    let (first, second) = StreamContents.excerpts(.string(one), .string(other))
    #expect(first == .string("…" + String(repeating: "a", count: 40) + "x"))
    #expect(second == .string("…" + String(repeating: "a", count: 40) + "y"))
    #expect(StreamContents.excerpts("a", nil) == ("a", nil))
  }

  @Test func `shows at most 160 bytes of a text that is longer, a quarter of them before the difference`() {
    func a(_ count: Int) -> String { String(repeating: "a", count: count) }
    let (accents, fewer) = (String(repeating: "é", count: 79), String(repeating: "é", count: 20))
    let cases: [(one: String, other: String, first: String, second: String)] = [
      ("\(accents)xx", "\(accents)yy", "\(accents)xx", "\(accents)yy"),
      ("\(accents)xxx", "\(accents)y", "…\(fewer)xxx", "…\(fewer)y"),
      ("x\(a(159))", "y\(a(160))", "x\(a(159))", "y\(a(159))…"),
      ("\(a(200))x\(a(119))", "\(a(200))y\(a(120))", "…\(a(40))x\(a(119))", "…\(a(40))y\(a(119))…"),
      // No letter is cut, neither at the beginning nor at the end.
      ("\(accents)zxx", "\(accents)zyy", "…\(fewer)zxx", "…\(fewer)zyy"),
      ("x\(accents)é", "y\(accents)éz", "x\(accents)…", "y\(accents)…"),
    ]
    for (one, other, first, second) in cases {
      #expect(StreamContents.excerpts(.string(one), .string(other)) == (.string(first), .string(second)))
    }
  }

  @Test func `shows bytes that are no text in base64`() {
    #expect(Self.contents([.bytes([0xFF, 0])]).value == ["chunks": [["base64": "/wA="]]])
  }
}
