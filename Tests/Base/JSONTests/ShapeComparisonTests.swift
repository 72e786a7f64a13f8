import Testing

@testable import JSON

/// A text is what it is for a type that the compiler wrote the code of, or it is wrong in the same way.
@Suite(.timeLimit(.minutes(2))) struct `A shape and the compiler's code` {
  static let wrong: [(of: String, with: String)] = [
    (#""int":-5"#, #""int":1.5"#), (#""int":-5"#, #""int":"x""#), (#""int":-5"#, #""int":null"#),
    (#""int":-5,"#, ""), (#""int8":-128"#, #""int8":-129"#), (#""int8":-128"#, #""int8":128"#),
    (#""int16":32767"#, #""int16":32768"#), (#""int32":-2147483648"#, #""int32":-2147483649"#),
    (#""int64":-9223372036854775808"#, #""int64":-9223372036854775809"#),
    (#""uint8":255"#, #""uint8":256"#), (#""uint8":255"#, #""uint8":-1"#), (#""uint8":255"#, #""uint8":1e2"#),
    (#""uint64":18446744073709551615"#, #""uint64":18446744073709551616"#),
    (#""int":-5"#, #""int":-0"#), (#""int":-5"#, #""int":01"#), (#""int":-5"#, #""int":12345678"#),
    (#""int":-5"#, #""int":1234567.0"#), (#""int":-5"#, #""int":-"#), (#""int":-5"#, #""int":5-"#),
    (#""double":-0.1"#, #""double":-0.0"#), (#""double":-0.1"#, #""double":1e400"#),
    (#""double":-0.1"#, #""double":-0"#), (#""double":-0.1"#, #""double":1234567.1234567"#),
    (#""double":-0.1"#, #""double":12345678.12345678"#), (#""double":-0.1"#, #""double":00.1"#),
    (#""double":-0.1"#, #""double":0."#), (#""double":-0.1"#, #""double":0.1e-2"#),
    (#""double":-0.1"#, #""double":9007199254740993"#), (#""float":0.1"#, #""float":1e39"#),
    (#""bool":true"#, #""bool":1"#), (#""bool":true"#, #""bool":tru"#),
    (#""some":"s""#, #""some":null"#), (#""some":"s""#, #""some":7"#), (#""some":"s","#, ""),
    (#""strings":["a""#, #""strings":[null"#), (#""strings":["a""#, #""strings":["\ud800""#),
    (#""strings":["a""#, #""strings":["#), (#""optionals":[1,null,3]"#, #""optionals":[1,null,3,]"#),
    (#""optionals":[1,null,3]"#, #""optionals":[1,null,true]"#), (#""optionals":[1,null,3]"#, #""optionals":{}"#),
    (#""matrix":[[1.5]"#, #""matrix":[[[]]"#), (#""color":"green""#, #""color":"blue""#),
    (#""children":[{"#, #""children":[{},{"#), (#""wrapped":{"id":1}"#, #""wrapped":{"id":true}"#),
    (#""wrapped":{"id":1}"#, #""wrapped":[]"#), (#"}}"#, "}} "), (#"}}"#, "}}}"), (#"}}"#, "},}"), (#"}}"#, "}"),
  ]

  @Test(arguments: wrong) func `agree about a text that was changed`(change: (of: String, with: String)) throws {
    let text = String(decoding: try JSONCoding.encode(Synthesised.Everything()), as: UTF8.self)
    let changed = text.replacing(change.of, with: change.with)
    #expect(changed != text)
    try compare(Array(changed.utf8))
  }

  @Test func `agree about random changes of bytes`() throws {
    let bytes = try JSONCoding.encode(Synthesised.Everything())
    let alphabet = Array("{}[]\":,\\ 0123456789.eE+-tfnualsr\u{1}".utf8) + [0xC3, 0xA9, 0xFF]
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<4000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<changed.count, using: &generator)
        let byte = alphabet.randomElement(using: &generator) ?? 0x20
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: changed[place] = byte
        case 1: changed.insert(byte, at: place)
        default: changed.remove(at: place)
        }
      }
      try compare(changed)
    }
  }

  private func compare(_ bytes: [UInt8]) throws {
    let shaped = outcome(Shaped.Everything.self, bytes)
    let synthesised = outcome(Synthesised.Everything.self, bytes)
    #expect(shaped == synthesised, "\(String(decoding: bytes, as: UTF8.self))")
  }

  /// The text that the value is written as again, or what is wrong.
  private func outcome<Value: Codable>(_ type: Value.Type, _ bytes: [UInt8]) -> String {
    do {
      return String(decoding: try JSONCoding.encode(JSONCoding.decode(type, from: bytes)), as: UTF8.self)
    } catch let error as DecodingError {
      return "\(error.pathAndDescription)"
    } catch {
      return "\(error)"
    }
  }
}
