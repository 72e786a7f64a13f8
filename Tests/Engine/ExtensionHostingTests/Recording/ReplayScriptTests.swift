import ExtensionHosting
import JSON
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A replay` {
  /// A request of the host during which the extension makes two calls and sends a notification.
  private static let lines = [
    #"toExtension {"id":1,"method":"initialize","params":{"a":1}}"#, #"toHost {"id":1,"result":{"v":"1.0"}}"#,
    #"toExtension {"method":"initialized","params":{}}"#,
    #"toExtension {"id":2,"method":"work","params":{"n":1}}"#,
    #"toHost {"id":1,"method":"get","params":{"key":"a"}}"#, #"toHost {"id":2,"method":"get","params":{"key":"b"}}"#,
    #"toHost {"method":"$/log","params":{"message":"m"}}"#, #"toHost {"method":"told","params":{"x":1}}"#,
    #"toExtension {"id":2,"result":"B"}"#, #"toExtension {"id":1,"error":{"code":5,"message":"no"}}"#,
    #"toHost {"id":2,"result":{"at":"12:30, 3 visits","uptimeMs":5}}"#,
    #"toExtension {"id":3,"method":"terminate","params":{}}"#, #"toHost {"id":3,"result":{}}"#,
  ]

  private static func recording(_ lines: [String] = Self.lines) throws -> Recording {
    let text = lines.map { line in
      let space = line.firstIndex(of: " ") ?? line.startIndex
      return #"{"extension":"e","direction":"\#(line[..<space])","frame":\#(line[space...])}"#
    }
    return try Recording(parsing: text.joined(separator: "\n"), for: nil)
  }

  private static func steps(_ script: inout ReplayScript) -> [String] { script.due().map(\.method) }

  /// Plays the part of the extension as it was recorded, except for what the closure changes.
  private func play(
    keys: [JSONValue] = ["a", "b"], tells: Bool = true, answer: JSONValue = ["at": "18:05, 3 visits", "uptimeMs": 9]
  ) throws -> (ReplayScript, answers: [ReplayScript.Outcome]) {
    var script = ReplayScript(try Self.recording())
    var ready = script.due()
    #expect(ready.map(\.method) == ["initialize"])
    script.answered(ready[0], with: .result(["v": "1.0"]))
    ready = script.due()
    #expect(ready.map(\.method) == ["initialized", "work"])
    #expect(ready.map(\.isRequest) == [false, true])
    let answers = keys.map { script.called("get", ["key": $0]) }
    if tells { script.notified("told", ["x": 1]) }
    script.notified("$/log", ["message": "other"])
    script.answered(ready[1], with: .result(answer))
    return (script, answers)
  }

  @Test func `of the same program finds no difference, whatever the ids and times`() throws {
    let (script, answers) = try play()
    #expect(script.differences == [])
    #expect(script.isDone)
    #expect(answers == [.failure(ErrorObject(code: 5, message: "no")), .result("B")])
  }

  @Test func `knows calls by their params, in any order`() throws {
    let (script, answers) = try play(keys: ["b", "a"])
    #expect(script.differences == [])
    #expect(answers == [.result("B"), .failure(ErrorObject(code: 5, message: "no"))])
  }

  @Test func `expects one answer of each request, also where an id is answered twice or is used again`() throws {
    let recording = try Self.recording([
      #"toExtension {"id":1,"method":"a","params":{}}"#, #"toHost {"id":1,"result":"A"}"#,
      #"toHost {"id":1,"result":"none"}"#, #"toExtension {"id":1,"method":"b","params":{}}"#,
      #"toHost {"id":7,"method":"get","params":{"key":"x"}}"#, #"toExtension {"id":7,"result":"X"}"#,
      #"toHost {"id":7,"method":"get","params":{"key":"y"}}"#, #"toExtension {"id":7,"result":"Y"}"#,
      #"toHost {"id":1,"result":"B"}"#,
    ])
    var script = ReplayScript(recording)
    let first = try #require(script.due().first)
    script.answered(first, with: .result("A"))
    let second = try #require(script.due().first)
    let answers = ["y", "x"].map { script.called("get", ["key": .string($0)]) }
    script.answered(second, with: .result("B"))
    #expect([first, second].map(\.method) == ["a", "b"] && answers == [.result("Y"), .result("X")])
    #expect(script.isDone && script.differences == [])
  }

  @Test func `shows what has changed, and where`() throws {
    let (script, _) = try play(keys: ["a", "c"], answer: ["at": "18:05, 4 visits", "uptimeMs": 9])
    #expect(
      script.differences == [
        ReplayDifference(
          kind: .changed, message: "the call of get", path: "key", recorded: "b", replayed: "c"),
        ReplayDifference(
          kind: .changed, message: "the answer to work", path: "result.at", recorded: "12:30, 3 visits",
          replayed: "18:05, 4 visits"),
      ])
  }

  @Test func `knows a method by its bytes`() throws {
    let lines = [
      #"toHost {"id":1,"method":"get/é","params":{}}"#, #"toExtension {"id":1,"result":"A"}"#,
      #"toHost {"method":"told/é","params":{}}"#,
    ]
    for accent in ["é", "e\u{301}"] {
      var script = ReplayScript(try Self.recording(lines))
      let isSame = accent.utf8.count == 2
      let answer = script.called("get/\(accent)", [:])
      #expect(answer == (isSame ? .result("A") : .failure(.methodNotFound("get/\(accent)"))))
      script.notified("told/\(accent)", [:])
      #expect(script.isDone == isSame)
      #expect(script.differences.map(\.kind) == (isSame ? [] : [.unexpected, .unexpected]))
    }
  }

  @Test func `shows what came besides, and what did not come`() throws {
    var (script, answers) = try play(keys: ["a", "b", "c"], tells: false)
    #expect(answers.last == .failure(.methodNotFound("get")))
    script.notified("more", [:])
    #expect(!script.isDone)
    script.stalled()
    #expect(script.isDone)
    #expect(script.differences.map(\.kind) == [.unexpected, .unexpected, .missing])
    #expect(
      script.differences.map(\.message) == ["a call of get", "a notification more", "the notification told"])
  }

  @Test func `goes on when the extension stands still`() throws {
    var script = ReplayScript(try Self.recording())
    #expect(Self.steps(&script) == ["initialize"])
    #expect(Self.steps(&script) == [])
    script.stalled()
    #expect(Self.steps(&script) == ["initialized", "work"])
    script.stalled()
    #expect(script.isDone)
    #expect(script.differences.count == 5)
  }

  @Test func `takes a redacted value for any, and a number of another kind for a change`() throws {
    let text = #"""
      {"extension":"e","direction":"toExtension","frame":{"id":1,"method":"m"}}
      {"extension":"e","direction":"toHost","frame":{"id":1,"result":{"a":"<redacted>","b":1795215197,"c":[1,2]}}}
      """#
    var script = ReplayScript(try Recording(parsing: text, for: nil))
    let step = try #require(script.due().first)
    script.answered(step, with: .result(["a": ["any"], "b": 1795215198.5, "c": [1]]))
    #expect(script.differences.map(\.path) == ["result.c"])
  }
}
