import ExtensionProtocol
import JSON
import JSONRPC
import Synchronization
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `A recorder of frames` {
  /// Four lines of about 1,070 bytes have room, and five have not.
  private static let limit = 4_600

  private func see(_ number: Int, _ recorder: FrameRecorder, bytes: Int = 1_000) {
    let text = String(repeating: "x", count: bytes - "\(number)".utf8.count)
    recorder.tap("a").see(.incoming, Array(#"{"text":"\#(number)\#(text)"}"#.utf8))
  }

  /// The numbers of the frames that it has.
  private func numbers(_ lines: [String]) throws -> [Int?] {
    try lines.map { line in
      let text = try JSONValue(parsing: line)["frame"]?["text"]?.stringValue
      return Int(text?.prefix { $0 != "x" } ?? "")
    }
  }

  @Test func `is full at its limit, and counts what came later`() throws {
    let recorder = FrameRecorder(limit: Self.limit)
    for number in 0..<7 {
      see(number, recorder)
      let (text, frames, dropped) = recorder.recording
      #expect(frames == min(number + 1, 4) && dropped == max(0, number - 3))
      #expect(try numbers(text.split(separator: "\n").map(String.init)) == Array(0..<frames))
      #expect(text.hasSuffix("\n") && text.utf8.count <= Self.limit)
    }
    // A short one has room still.
    recorder.tap("a").see(.outgoing, Array("{}".utf8))
    #expect(recorder.recording.frames == 5 && recorder.recording.dropped == 3)
  }

  @Test func `may drop the older half each time that it is full`() throws {
    let recorder = FrameRecorder(limit: Self.limit, keepsNewest: true)
    for (number, kept) in [1, 2, 3, 4, 3, 4, 3, 4, 3, 4].enumerated() {
      see(number, recorder)
      let dropped = number + 1 - kept
      #expect(recorder.recording.frames == kept && recorder.recording.dropped == dropped)
      let (all, first) = recorder.last(10)
      #expect(try numbers(all) == Array(dropped...number) && first == dropped)
      let (two, second) = recorder.last(2)
      #expect(try numbers(two) == Array(max(0, number - 1)...number) && second == max(0, number - 1))
    }
    #expect(recorder.last(0).lines == [] && recorder.last(0).first == 10)
  }

  @Test func `drops all that came before a frame that leaves them no room, and that one where it has none`() throws {
    let recorder = FrameRecorder(limit: Self.limit, keepsNewest: true)
    for number in 0..<4 { see(number, recorder) }
    see(4, recorder, bytes: 4_000)
    #expect(try numbers(recorder.last(10).lines) == [4] && recorder.last(10).first == 4)
    see(5, recorder, bytes: 5_000)
    #expect(recorder.last(10).lines == [] && recorder.last(10).first == 6)
    see(6, recorder)
    #expect(try numbers(recorder.last(10).lines) == [6] && recorder.last(10).first == 6)
    #expect(recorder.recording.frames == 1 && recorder.recording.dropped == 6)
  }

  @Test func `counts bytes and not characters`() {
    for letter in ["x", "é"] {
      for count in 400...1_000 {
        let recorder = FrameRecorder(limit: 1_000)
        recorder.tap("a").see(.incoming, Array(#"{"text":"\#(String(repeating: letter, count: count))"}"#.utf8))
        let (text, frames, dropped) = recorder.recording
        #expect(text.utf8.count <= 1_000 && frames + dropped == 1, "\(count) \(letter)")
      }
    }
    let recorder = FrameRecorder(limit: 1_000, keepsNewest: true)
    for number in 0..<100 {
      recorder.tap("a").see(.incoming, Array(#"{"text":"\#(String(repeating: "é", count: 100))"}"#.utf8))
      let (text, frames, dropped) = recorder.recording
      #expect(text.utf8.count <= 1_000 && frames + dropped == number + 1)
      #expect(recorder.last(1).first == number && recorder.last(1).lines.count == 1)
    }
  }

  @Test func `tells of each frame that it keeps`() {
    let recorder = FrameRecorder(limit: Self.limit)
    let calls = Mutex(0)
    see(0, recorder)
    recorder.whenChanged { calls.withLock { $0 += 1 } }
    for number in 1..<7 { see(number, recorder) }
    #expect(calls.withLock(\.self) == 3)
  }

  @Test func `has of what is no JSON its beginning, without secrets`() throws {
    let recorder = FrameRecorder()
    recorder.tap("a").see(.incoming, Array("password=\"x\" ".utf8) + [UInt8](repeating: 0x79, count: 5_000))
    let line = try JSONValue(parsing: recorder.last(1).lines.first ?? "")
    let text = try #require(line["text"]?.stringValue)
    #expect(text == "password=\"<redacted>\" " + String(repeating: "y", count: 4_096 - 13))
    #expect(line["frame"] == nil && line["direction"] == "toHost")
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A comparison of two frames` {
  private func paths(_ one: JSONValue?, _ other: JSONValue?) -> [String] {
    FrameComparison.differences(one, other).map(\.path)
  }

  @Test func `names the place of each difference`() {
    #expect(paths(["a": ["b": [1, 2], "c": 3]], ["a": ["b": [1, 3], "c": 3]]) == ["a.b[1]"])
    #expect(paths([1, [2]], [1, [3]]) == ["[1][0]"])
    #expect(paths(["a": 1], ["b": 2]) == ["a", "b"])
    #expect(paths(["a": [1]], ["a": [1, 2]]) == ["a"] && paths(["a": [1]], ["a": ["x": 1]]) == ["a"])
    #expect(paths(1, nil) == [""] && paths(nil, 1) == [""] && paths(nil, nil) == [])
    let found = FrameComparison.differences(["a": 1, "b": 2], ["a": 3, "c": 4])
    #expect(found.map(\.recorded) == [1, 2, nil] && found.map(\.replayed) == [3, nil, 4])
  }

  @Test func `ends after twenty differences`() {
    func object(_ value: JSONValue) -> JSONValue {
      .object(JSONObject((0..<25).map { ("m\($0)", value) }))
    }
    #expect(paths(object(1), object(2)) == (0..<20).map { "m\($0)" })
    let (ones, twos) = (
      JSONValue.array(Array(repeating: 1, count: 25)), JSONValue.array(Array(repeating: 2, count: 25))
    )
    #expect(paths(ones, twos) == (0..<20).map { "[\($0)]" })
    // Those inside of a member count as well.
    func nested(_ value: JSONValue) -> JSONValue {
      ["a": .array(Array(repeating: value, count: 19)), "b": .array(Array(repeating: value, count: 19)), "c": value]
    }
    #expect(paths(nested(1), nested(2)) == (0..<19).map { "a[\($0)]" } + ["b[0]"])
    #expect(paths([nested(1), 1], [nested(2), 2]) == (0..<19).map { "[0].a[\($0)]" } + ["[0].b[0]"])
  }

  @Test func `tells two spellings of an accent apart, beside a time too`() {
    for (one, other) in [("é", "e\u{301}"), ("K", "\u{212A}"), ("é at 12:30", "e\u{301} at 12:31")] {
      #expect(paths(["a": .string(one)], ["a": .string(other)]) == ["a"])
      #expect(paths(["a": .string(one)], ["a": .string(one)]) == [])
    }
    #expect(paths("é at 12:30", "é at 12:31") == [])
  }

  @Test func `misses a secret that does not come any more`() {
    let found = FrameComparison.differences(["a": "<redacted>", "b": ["<redacted>"]], ["b": [.null]])
    #expect(found.map(\.path) == ["a"])
    #expect(found.first?.recorded == "<redacted>" && found.first?.replayed == nil)
  }

  @Test func `passes over what is another each time`() {
    #expect(paths(["_meta": 1, "uptimeMs": 2, "queueBytes": 3], ["_meta": 4, "uptimeMs": 5]) == [])
    #expect(paths(["meta": 1], ["meta": 2]) == ["meta"])
    #expect(paths(["a": "<redacted>"], ["a": [1]]) == [] && paths(["a": [1]], ["a": "<redacted>"]) == ["a"])
    let (recorded, replayed) = ("https://a.example/?access_token=<redacted>", "https://a.example/?access_token=abc")
    #expect(paths(.string(recorded), .string(replayed)) == [])
    #expect(paths(.string(recorded), .string(replayed + "&x=1")) == [""])
  }

  @Test(
    arguments: [
      ("at 12:30:05.25", "at 9:01", true), ("on 2026-01-02", "on 1999-12-31", true), ("1234567890", "12:00", true),
      ("1234567890123456789", "0987654321", true), ("123456789", "987654321", false), ("at 12:3", "at 12:4", false),
      ("12:30 a", "12:30 b", false),
    ])
  func `takes one time in a text for another`(one: String, other: String, isSame: Bool) {
    #expect(paths(.string(one), .string(other)).isEmpty == isSame)
  }

  @Test(
    arguments: [
      (1_000_000_000, 4_100_000_000, true), (999_999_999, 1_000_000_000, false), (1_000_000_000, 999_999_999, false),
      (4_100_000_000, 4_100_000_001, false), (1_000_000_000_000, 4_100_000_000, true),
      (1_000_000_000_000_000, 1_000_000_000, true), (4_100_000_000_000_000_000, 1_000_000_000, true),
      (4_100_000_000_001_000_000, 1_000_000_000, false), (5, 6, false),
    ] as [(Int64, Int64, Bool)])
  func `takes one number of a moment for another`(one: Int64, other: Int64, isSame: Bool) {
    #expect(paths(.integer(one), .integer(other)).isEmpty == isSame)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The folders of a replay` {
  private static let recorded: JSONValue = [
    "scratch": "/r/s", "container": "/r/c", "groups": ["g": ["path": "/r/g"], "other": ["path": "/r/o"]],
  ]

  private func paths(_ recorded: JSONValue?, scratch: String = "/p/s") -> PathSubstitution {
    PathSubstitution(
      recorded: recorded,
      present: Initialize.Directories(
        scratch: scratch, container: "/p/c", groups: ["g": .init(path: "/p/g", mode: "rw")]))
  }

  @Test func `take the place of the recorded ones, and come back`() {
    let was: JSONValue = [
      "a": ["/r/s", "/r/s/x", "/r/c/é", "/r/sx", "x/r/s", "/r/o/y"], "b": ["c": "/r/g/y"], "n": 1, "t": true,
      "z": .null,
    ]
    let now: JSONValue = [
      "a": ["/p/s", "/p/s/x", "/p/c/é", "/r/sx", "x/r/s", "/r/o/y"], "b": ["c": "/p/g/y"], "n": 1, "t": true,
      "z": .null,
    ]
    #expect(paths(Self.recorded).present(was) == now)
    #expect(paths(Self.recorded).recorded(now) == was)
  }

  @Test func `are told by their bytes, also where a name begins with an accent`() {
    #expect(paths(Self.recorded).present("/r/s/\u{301}x") == "/p/s/\u{301}x")
    #expect(paths(Self.recorded).recorded("/p/s/\u{301}x") == "/r/s/\u{301}x")
    let accented = paths(["scratch": "/r/é"])
    #expect(accented.present(["/r/é/x", "/r/é", "/r/éx"]) == ["/p/s/x", "/p/s", "/r/éx"])
    // Another folder, to the kernel.
    #expect(accented.present(["/r/e\u{301}/x", "/r/e\u{301}"]) == ["/r/e\u{301}/x", "/r/e\u{301}"])
  }

  @Test func `stay where nothing is known of the one or the other`() {
    for recorded in [nil, [:], ["scratch": ""], ["scratch": 1]] as [JSONValue?] {
      #expect(paths(recorded).present(["", "/r/s/x", "/x"]) == ["", "/r/s/x", "/x"])
      #expect(paths(recorded).recorded(["", "/p/s/x"]) == ["", "/p/s/x"])
    }
    #expect(paths(Self.recorded, scratch: "").present("/r/s/x") == "/r/s/x")
    #expect(paths(Self.recorded, scratch: "").recorded("/x") == "/x")
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A member of a message` {
  @Test func `is found and set by its path`() {
    var value: JSONValue = ["a": ["b": 1, "c": 2]]
    value.setMember(at: "a.b", to: 3)
    #expect(value == ["a": ["b": 3, "c": 2]])
    value.setMember(at: "a.d.e", to: "x")
    #expect(value == ["a": ["b": 3, "c": 2, "d": ["e": "x"]]])
    #expect(value.member(at: "a.d.e") == "x" && value.member(at: "a.c") == 2)
    #expect(value.member(at: "a.z.e") == nil && value.member(at: "a.c.e") == nil && value.member(at: "") == value)
    value.setMember(at: "a.c.f", to: .null)
    #expect(value == ["a": ["b": 3, "c": ["f": .null], "d": ["e": "x"]]])
    value.setMember(at: "", to: 5)
    #expect(value == 5)
  }
}
