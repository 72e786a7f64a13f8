import ExtensionProtocol
import Foundation
import JSON
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A property list value on the wire` {
  static let samples: [(PropertyListValue, String)] = [
    ("text", #""text""#), (42, "42"), (1.5, "1.5"), (true, "true"), (false, "false"), ([], "[]"), ([:], "{}"),
    ([1, "a", [true]], #"[1,"a",[true]]"#), (["b": 1, "a": ["x": 2.5]], #"{"a":{"x":2.5},"b":1}"#),
    (.data([0, 255, 16]), #"{"$data":"AP8Q"}"#), (.data([]), #"{"$data":""}"#), (.date(1.5), #"{"$date":1.5}"#),
    (1.0, "1.0"), (-0.0, "-0.0"), (1e300, "1e+300"), ([1, 1.0], "[1,1.0]"),
    (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
  ]

  @Test(arguments: samples) func `has a wire form and comes back from it`(value: PropertyListValue, json: String) throws
  {
    #expect(String(decoding: try JSONCoding.encode(value), as: UTF8.self) == json)
    #expect(try JSONCoding.decode(PropertyListValue.self, from: Array(json.utf8)) == value)
  }

  @Test(
    arguments: [
      ["$x": 1], ["a": ["$data": "eA=="]], .real(.nan), .real(.infinity), .date(.infinity), [["$": true]],
    ] as [PropertyListValue])
  func `without a wire form is not encoded`(value: PropertyListValue) {
    #expect(throws: EncodingError.self) { try JSONCoding.encode(value) }
  }

  @Test(
    arguments: [
      "null", "[null]", #"{"a":null}"#, #"{"$data":"A"}"#, #"{"$data":"AP8Q","x":1}"#, #"{"$other":1}"#,
      #"{"$data":1}"#, #"{"$date":"now"}"#, #"{"$date":1,"$data":""}"#, "18446744073709551615",
    ])
  func `is not decoded from other JSON`(json: String) {
    #expect(throws: DecodingError.self) { try JSONCoding.decode(PropertyListValue.self, from: Array(json.utf8)) }
  }

  @Test(
    arguments: [.string("x"), .integer(7), .real(1.5), .bool(true), [1, [:]], ["a": .data([1])]] as [PropertyListValue])
  func `comes back through another coder`(value: PropertyListValue) throws {
    #expect(try JSONDecoder().decode(PropertyListValue.self, from: JSONEncoder().encode(value)) == value)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(PropertyListValue.self, from: Data("[null]".utf8)) }
  }
}
