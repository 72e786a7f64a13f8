import ExtensionHosting
import JSON
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A recorded frame` {
  static let secrets: [(JSONValue, JSONValue)] = [
    (
      ["headers": ["Authorization": "Bearer abc", "Accept": "x"]],
      ["headers": ["Authorization": "<redacted>", "Accept": "x"]]
    ),
    (
      ["headers": [["Set-Cookie", "a=b"], ["Via", "c"]]], ["headers": [["Set-Cookie", "<redacted>"], ["Via", "c"]]]
    ),
    (
      ["headers": [["Set-Cookie", ["a=b", "c=d"]], ["Cookie", ["a": "b"]]]],
      ["headers": [["Set-Cookie", "<redacted>"], ["Cookie", "<redacted>"]]]
    ),
    ([["name": "cookie", "value": "a=b"]], [["name": "cookie", "value": "<redacted>"]]),
    (["key": "password", "value": "p", "suite": "s"], ["key": "password", "value": "<redacted>", "suite": "s"]),
    (
      ["access_token": "t", "client-secret": ["a"], "idToken": ["b": 1]],
      ["access_token": "<redacted>", "client-secret": "<redacted>", "idToken": "<redacted>"]
    ),
    (["said": "bearer eyJhbGciOi"], ["said": "<redacted>"]),
    (
      ["X-Auth-Token": "a", "Private-Token": "b", "X-Amz-Security-Token": "c"],
      ["X-Auth-Token": "<redacted>", "Private-Token": "<redacted>", "X-Amz-Security-Token": "<redacted>"]
    ),
    (["url": "https://a.example/x?access_token=abc&y=1"], ["url": "https://a.example/x?access_token=<redacted>&y=1"]),
    (["continuation_token": "a", "oob": "1"], ["continuation_token": "<redacted>", "oob": "<redacted>"]),
    (["deep": [[["PASSWORD": "p"]]]], ["deep": [[["PASSWORD": "<redacted>"]]]]),
  ]

  @Test(arguments: secrets) func `has no secrets`(frame: JSONValue, redacted: JSONValue) {
    #expect(Redaction.apply(frame) == redacted)
  }

  @Test(
    arguments: [
      ["token": 5, "progress": 1], ["tokens": "a"], ["name": "key", "value": "v"], ["text": "basic"], ["secret": .null],
      "Bears", 1.5, [["a", "b"]], ["password", "a", "b"], ["Cookie", 5], ["Cookie", .null], ["Cookie"],
      ["name": "cookie", "values": "x"],
    ] as [JSONValue])
  func `is otherwise as it was`(frame: JSONValue) { #expect(Redaction.apply(frame) == frame) }

  @Test func `is a line with its time, its extension and its direction`() throws {
    let recorder = FrameRecorder()
    let tap = recorder.tap("com.example.a")
    tap.see(.outgoing, Array(#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"password":"x"}}"#.utf8))
    tap.see(.incoming, Array("noise {".utf8))
    let (text, frames, dropped) = recorder.recording
    #expect(frames == 2)
    #expect(dropped == 0)
    let lines = try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(lines[0]["direction"] == "toExtension")
    #expect(lines[0]["extension"] == "com.example.a")
    #expect(lines[0]["t"]?.doubleValue ?? -1 >= 0)
    #expect(lines[0]["frame"]?["params"]?["password"] == "<redacted>")
    #expect(lines[1]["text"] == "noise {")
    let recording = try Recording(parsing: text, for: nil)
    #expect(recording.identifier == "com.example.a")
    #expect(recording.frames.count == 1)
    #expect(recording.frames[0].isFromHost)
  }

  static let broken = [
    "", "\n\n", "nonsense", "{}", #"{"extension":"a","direction":"up","frame":{}}"#,
    #"{"extension":"a","direction":"toHost"}"#, #"{"extension":1,"direction":"toHost","frame":{}}"#,
  ]

  @Test(arguments: broken) func `that is none is refused with its line`(text: String) {
    let error = #expect(throws: ExtensionError.self) { try Recording(parsing: text, for: nil) }
    #expect(error?.code == .invalidParams)
    #expect(error?.recovery?.contains("FrameRecorder") == true)
  }

  @Test func `may have been saved with the ends of lines of Windows, and names the line of a fault all the same`() {
    let lines = [1, 2].map { #"{"extension":"a","direction":"toHost","frame":{"id":\#($0),"text":"x\#u{2028}y"}}"# }
    let text = lines.joined(separator: "\r\n") + "\r\n"
    #expect((try? Recording(parsing: text, for: nil))?.frames.map { $0.message["id"] } == [1, 2])
    let error = #expect(throws: ExtensionError.self) { try Recording(parsing: text + "{}\r\n", for: nil) }
    #expect(error?.message.hasPrefix("Line 3 ") == true)
  }

  @Test func `of several extensions belongs to the one that is asked for`() throws {
    let line = { (id: String) in #"{"extension":"\#(id)","direction":"toHost","frame":{"id":"\#(id)"}}"# + "\n" }
    let text = line("a") + line("b") + line("a")
    #expect(try Recording(parsing: text, for: nil).frames.count == 2)
    #expect(try Recording(parsing: text, for: "b").frames.map(\.message) == [["id": "b"]])
    #expect(try Recording(parsing: text, for: "c").identifier == "a")
    // Who has sent nothing but noise has no frames to be compared.
    let noise = #"{"extension":"c","direction":"toHost","text":"noise"}"# + "\n"
    for identifier in [nil, "c"] { #expect(try Recording(parsing: noise + text, for: identifier).identifier == "a") }
    let error = #expect(throws: ExtensionError.self) { try Recording(parsing: noise, for: "c") }
    #expect(error?.message == "The recording is empty.")
  }
}
