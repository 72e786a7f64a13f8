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

  private struct Tables: Decodable {
    let texts: [String: String]?
    let rare: [String: Int]

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: JSONKey.self)
      texts = try members.dictionary(forKey: "texts", from: decoder, of: "a string", \.stringValue)
      rare = try members.rareDictionary(forKey: "rare", from: decoder)
    }
  }

  @Test(
    arguments: [
      (#"{"texts":{"a":"x","é":""},"rare":{}}"#, ["a": "x", "é": ""], [:]), (#"{"rare":{"b":1}}"#, nil, ["b": 1]),
      (#"{"texts":null,"rare":{}}"#, nil, [:]), (#"{"texts":{},"rare":{"b":1,"c":2}}"#, [:], ["b": 1, "c": 2]),
    ] as [(String, [String: String]?, [String: Int])])
  func `is a table of values of one kind, with either coder`(
    text: String, texts: [String: String]?, rare: [String: Int]
  ) throws {
    let own = try JSONCoding.decode(Tables.self, from: Array(text.utf8))
    let other = try JSONDecoder().decode(Tables.self, from: Data(text.utf8))
    #expect(own.texts == texts && own.rare == rare && other.texts == texts && other.rare == rare)
  }

  @Test(arguments: [
    (#"{"texts":{"a":1},"rare":{}}"#, "texts.a"), (#"{"texts":1,"rare":{}}"#, "texts"), (#"{"texts":{}}"#, "rare"),
    (#"{"rare":{"b":"x"}}"#, "rare.b"), (#"{"rare":[]}"#, "rare"),
  ])
  func `says where a table has something else, with either coder`(text: String, path: String) {
    let own = #expect(throws: DecodingError.self) { try JSONCoding.decode(Tables.self, from: Array(text.utf8)) }
    let other = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Tables.self, from: Data(text.utf8)) }
    #expect(own?.pathAndDescription.path == path && other?.pathAndDescription.path == path)
  }
}
