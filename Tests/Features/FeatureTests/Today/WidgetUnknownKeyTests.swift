import AppExtensions
import Contracts
import JSON
import Testing

/// What a widget's author misspelt.
@Suite(.timeLimit(.minutes(1)))
struct `A key that no answer of a widget has` {
  private func unknown(_ answer: JSONValue) throws -> [String] {
    try JSONCoding.decode(UpdateResult.self, from: answer).unknownKeys
  }

  @Test func `is none where all keys are known`() throws {
    #expect(try unknown(["result": "newData", "view": "text"]) == [])
    #expect(try unknown(["result": "noData", "view": .null, "preferredContentSize": ["width": 1, "height": 1]]) == [])
    let rows: JSONValue = [
      ["kind": "row", "title": "a", "subtitle": "b", "value": "c", "url": "d:e"], ["title": "a", "action": "b"],
    ]
    #expect(try unknown(["result": "newData", "view": ["title": "t", "text": "x", "rows": rows]]) == [])
  }

  @Test func `has its place, and what may have been meant`() throws {
    let rows: JSONValue = [["title": "a"], ["title": "b", "valu": "1"], ["title": "c", "x": "1"]]
    #expect(
      try unknown(["result": "newData", "vew": 1, "view": ["titel": "x", "rows": rows]]) == [
        "vew (did you mean view?)", "view.titel (did you mean title?)", "view.rows[1].valu (did you mean value?)",
      ])
    // The kind is refused later, and needs no title.
    #expect(
      try unknown(["result": "newData", "view": ["rows": [["kind": "input", "titel": "x"]]]])
        == ["view.rows[0].titel (did you mean title?)"])
  }

  @Test(arguments: [(8, 8), (9, 8)]) func `is one of eight that are remembered`(count: Int, remembered: Int) throws {
    var view = JSONObject()
    for number in 0..<count { view["k\(number)zzzz"] = 1 }
    let found = try unknown(["result": "newData", "view": .object(view)])
    #expect(found.count == remembered && found.allSatisfy { $0.hasPrefix("view.k") && $0.hasSuffix("zzzz") })
  }

  @Test(arguments: [
    (String(repeating: "q", count: 64), String(repeating: "q", count: 64)),
    (String(repeating: "q", count: 65), String(repeating: "q", count: 64)), ("z z\u{1b}\u{7f}é", "zz"),
  ])
  func `is short and plain`(key: String, shown: String) throws {
    var answer: JSONObject = ["result": "noData"]
    answer[key] = 1
    #expect(try unknown(.object(answer)) == [shown])
  }

  @Test func `is in the error of a row without a title`() {
    let error = #expect(throws: DecodingError.self) {
      try unknown(["result": "newData", "view": ["rows": [["titel": "a"]]]])
    }
    guard case .keyNotFound(let key, let context)? = error else {
      Issue.record("The error is another: \(String(describing: error)).")
      return
    }
    #expect(key.stringValue == "title")
    #expect(context.debugDescription == "The row has no title, and an unknown titel (did you mean title?).")
  }
}
