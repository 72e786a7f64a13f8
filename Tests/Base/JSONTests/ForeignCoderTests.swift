import Foundation
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A value of JSON with another coder` {
  @Test func `is written and read whole, of every kind`() throws {
    let value: JSONValue = [
      .null, true, false, -1, .unsigned(.max), 1.5, "é", [], ["a", [2]], [:], ["b": 2, "c": ["d": .null]],
    ]
    let written = try JSONEncoder().encode(value)
    #expect(try JSONValue(parsing: String(decoding: written, as: UTF8.self)) == value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: written) == value)
  }
}
