import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The JSON coder` {
  @Test func `tells a value that is missing from one of another type`() {
    func kind<Value: Decodable>(_ text: String, _ type: Value.Type) -> String {
      do {
        _ = try JSONCoding.decode(type, from: Array(text.utf8))
        return "none"
      } catch DecodingError.valueNotFound { return "no value" } catch DecodingError.typeMismatch {
        return "another type"
      } catch { return "\(error)" }
    }
    #expect(kind("null", Int.self) == "no value" && kind(#""x""#, Int.self) == "another type")
    #expect(kind("[null]", [Int].self) == "no value" && kind(#"["x"]"#, [Int].self) == "another type")
    #expect(kind(#"{"a":null}"#, [String: Int].self) == "no value")
    #expect(kind(#"{"a":"x"}"#, [String: Int].self) == "another type")
  }

  struct Everything: Codable, Equatable {
    var bool = true
    var int = -5
    var int8 = Int8.min
    var int16 = Int16.min
    var int32 = Int32.min
    var int64 = Int64.min
    var int128 = Int128(-7)
    var uint = UInt.max
    var uint8 = UInt8.max
    var uint16 = UInt16.max
    var uint32 = UInt32.max
    var uint64 = UInt64.max
    var uint128 = UInt128(7)
    var float = Float(0.1)
    var double = 0.1
    var string = "é\"\\\n"
    var none: Int?
    var some: String? = "s"
    var array = [1, 2, 3]
    var strings = ["a", "b\u{1}"]
    var optionals: [Int?] = [1, nil, 3]
    var matrix = [[1.5], [], [2]]
    var dictionary = ["k": [1]]
    var byNumber = [7: "seven"]
    var choice = Choice.pair(left: 1, right: "r")
    var bare = Choice.bare
    var color = Color.green
    var json: JSONValue = ["a": [1, .null, 2.5]]
    var object: JSONObject = ["x": 1]
    var wrapped = Wrapped(value: [1])
    var child: [Child] = [Child(name: "n", children: [Child(name: "m", children: [])])]
  }
  enum Choice: Codable, Equatable {
    case bare
    case pair(left: Int, right: String)
    case single(Int)
  }
  enum Color: String, Codable { case red, green }
  struct Child: Codable, Equatable {
    var name: String
    var children: [Child]
  }
  struct Wrapped: Codable, Equatable {
    var value: [Int]
    init(value: [Int]) { self.value = value }
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode([Int].self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  private enum Shade: String, Codable, CaseIterable { case light, dark }

  @Test func `lists the cases of an enumeration when a text is none of them`() {
    func said<Value: Decodable>(_ type: Value.Type, _ text: String) -> String {
      do { _ = try JSONCoding.decode(type, from: Array(text.utf8)) } catch {
        return (error as? DecodingError).map { "\($0.pathAndDescription)" } ?? ""
      }
      return ""
    }
    let sentence = "“drak” is not a value of it. Write one of light, dark."
    #expect(said([Shade].self, "[\"light\", \"drak\"]") == "(path: \"[1]\", description: \"\(sentence)\")")
    let optional = said([String: [Shade?]].self, "{\"a\": [null, \"drak\"]}")
    #expect(optional.contains(sentence))
    #expect(said(Shade.self, "7").contains("Expected a string, found a number."))
    #expect(said(Color.self, "\"blue\"").contains("blue"))
    #expect(said(Shade.self, "\"\(String(repeating: "x", count: 100_000))\"").count < 300)
  }

  @Test func `carries every kind of member there and back`() throws {
    let bytes = try JSONCoding.encode(Everything())
    try #expect(JSONCoding.decode(Everything.self, from: bytes) == Everything())
    // The text is strict JSON, and what any other reader sees.
    let value = try JSONCoding.parse(bytes)
    #expect(value["uint64"] == .unsigned(.max))
    #expect(value["float"] == 0.1)
    #expect(value["wrapped"] == [1])
    #expect(value["choice"] == ["pair": ["left": 1, "right": "r"]])
    #expect(value["bare"] == ["bare": [:]])
    #expect(value["none"] == nil)
    #expect(value["optionals"] == [1, .null, 3])
    #expect(value["byNumber"] == ["7": "seven"])
  }

  @Test func `finds members in any order, and leaves out the unknown`() throws {
    let text = #"{"children":[{"x":{},"name":"b","children":[]}],"more":[1,{"name":2}],"name":"a"}"#
    let child = try JSONCoding.decode(Child.self, from: Array(text.utf8))
    #expect(child == Child(name: "a", children: [Child(name: "b", children: [])]))
    let escaped = #"{"n\u0061me":"a","children":[]}"#
    try #expect(JSONCoding.decode(Child.self, from: Array(escaped.utf8)) == Child(name: "a", children: []))
  }

  static let wrong: [(String, String)] = [
    (#"{"name":1,"children":[]}"#, "name"),
    (#"{"name":"a"}"#, "children"),
    (#"{"name":null,"children":[]}"#, "name"),
    (#"{"name":"a","children":{}}"#, "children"),
    (
      #"{"name":"a","children":[{"name":"b","children":[]},{"name":"c","children":[{"name":true}]}]}"#,
      "children[1].children[0].name"
    ),
    ("[]", ""),
  ]

  @Test(arguments: wrong) func `names the place of what has another shape`(text: String, path: String) {
    let error = #expect(throws: DecodingError.self) { try JSONCoding.decode(Child.self, from: Array(text.utf8)) }
    #expect(error?.pathAndDescription.path == path)
    #expect(error?.pathAndDescription.description.isEmpty == false)
  }

  @Test func `reads whole numbers however they are written, and no others`() throws {
    try #expect(JSONCoding.decode([Int].self, from: Array("[1, 1.0, 1e3, -0]".utf8)) == [1, 1, 1000, 0])
    try #expect(JSONCoding.decode([Double].self, from: Array("[1, 18446744073709551616]".utf8)) == [1, 0x1p64])
    for text in ["[1.5]", "[1e30]", "[300]", "[-1]"] {
      #expect(throws: DecodingError.self) { try JSONCoding.decode([UInt8].self, from: Array(text.utf8)) }
    }
  }

  @Test func `refuses numbers that JSON does not have, and says where`() {
    for value in [Double.nan, .infinity, -.infinity] {
      let error = #expect(throws: EncodingError.self) { try JSONCoding.encode(["a": [1, value]]) }
      guard case .invalidValue(_, let context)? = error else { continue }
      #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
    }
  }

  class Base: Codable {
    var base = 1
    init() {}
  }
  final class Derived: Base {
    var derived = 2
    override init() { super.init() }
    private enum CodingKeys: String, CodingKey { case derived }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      derived = try container.decode(Int.self, forKey: .derived)
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try super.encode(to: container.superEncoder())
      try container.encode(derived, forKey: .derived)
    }
  }

  @Test func `carries a class with its superclass`() throws {
    let bytes = try JSONCoding.encode(Derived())
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"super":{"base":1},"derived":2}"#)
    try #expect(JSONCoding.decode(Derived.self, from: bytes).base == 1)
  }

  /// Fills two nested containers by turns.
  struct Interleaved: Encodable {
    enum Key: String, CodingKey { case a, b, c }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var first = container.nestedUnkeyedContainer(forKey: .a)
      var second = container.nestedContainer(keyedBy: Key.self, forKey: .b)
      try first.encode(1)
      try second.encode(2, forKey: .a)
      try container.encode(true, forKey: .c)
      try first.encode(3)
      var inner = first.nestedUnkeyedContainer()
      try second.encode([4], forKey: .b)
      try inner.encode("x")
      try first.encode("last")
    }
  }

  @Test func `puts nested containers in their places whatever the order of filling them`() throws {
    let text = String(decoding: try JSONCoding.encode(Interleaved()), as: UTF8.self)
    #expect(text == #"{"a":[1,3,["x"],"last"],"b":{"a":2,"b":[4]},"c":true}"#)
  }

  @Test func `puts nested containers in their places behind what was written before`() throws {
    let one = #"{"a":[1,3,["x"],"last"],"b":{"a":2,"b":[4]},"c":true}"#
    var writer = JSONWriter(headroom: 20)
    writer.raw("[")
    try JSONCoding.encode(Interleaved(), to: &writer)
    writer.raw(",")
    try JSONCoding.encode(Interleaved(), to: &writer)
    writer.raw("]")
    let text = writer.withBytes { String(decoding: $0, as: UTF8.self) }
    #expect(text == "[\(one),\(one)]")
    let list = String(decoding: try JSONCoding.encode([Interleaved(), Interleaved()]), as: UTF8.self)
    #expect(list == "[\(one),\(one)]")
  }

  class Row: Encodable {
    func encode(to encoder: any Encoder) throws {
      var row = encoder.unkeyedContainer()
      var first = row.nestedUnkeyedContainer()
      try first.encode(1)
    }
  }
  final class LongRow: Row {
    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var row = encoder.unkeyedContainer()
      try row.encode(2)
    }
  }

  @Test func `goes on with the array that a superclass has begun with a nested one`() throws {
    let text = String(decoding: try JSONCoding.encode([LongRow(), LongRow()]), as: UTF8.self)
    #expect(text == "[[[1],2],[[1],2]]")
  }

  enum Name: String, CodingKey { case a, b, c, d }

  struct Elements: Decodable {
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      #expect(list.count == 4 && list.currentIndex == 0)
      let (isNull, isAgain) = (try list.decodeNil(), try list.decodeNil())
      #expect(isNull && !isAgain && list.currentIndex == 1)
      // What was not read is still there.
      let wrong = try? list.decode(Bool.self)
      #expect(wrong == nil && list.currentIndex == 1)
      let number = try list.decode(Int.self)
      let inner = try list.nestedUnkeyedContainer()
      #expect(number == 7 && inner.count == 1 && !list.isAtEnd)
      let member = try list.nestedContainer(keyedBy: Name.self).decode(Int.self, forKey: .a)
      #expect(member == 1 && list.isAtEnd && list.count == 4)
      let isMissing = try? list.decodeNil()
      #expect(isMissing == nil)
      _ = try list.decode(Int.self)
    }
  }

  @Test func `gives elements one after the other, and none behind the last`() {
    let error = #expect(throws: DecodingError.self) {
      try JSONCoding.decode(Elements.self, from: Array(#"[null,7,[true],{"a":1}]"#.utf8))
    }
    #expect(error?.pathAndDescription.path == "[4]")
    #expect(error?.pathAndDescription.description == "The array ends after 4.")
  }

  struct Members: Decodable {
    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Name.self)
      for _ in 0..<2 {
        for _ in 0..<2 {
          let (one, text) = (try members.decode(Int.self, forKey: .a), try members.decode(String.self, forKey: .c))
          #expect(one == 1 && text == "x")
        }
        for _ in 0..<2 {
          let (isNull, none) = (try members.decodeNil(forKey: .b), try members.decodeIfPresent(Int.self, forKey: .b))
          #expect(isNull && none == nil && members.contains(.b) && !members.contains(.d))
        }
        #expect(members.allKeys.map(\.stringValue) == ["a", "b", "c"])
      }
      let parent = #expect(throws: DecodingError.self) { try members.superDecoder() }
      #expect(parent?.pathAndDescription.path == "super")
      _ = try members.decodeNil(forKey: .d)
    }
  }

  @Test(arguments: [0, 40]) func `gives a member as often as it is asked for`(spaces: Int) {
    let text = #"{"a":1,"b":null,"c":"x"}"# + String(repeating: " ", count: spaces)
    let error = #expect(throws: DecodingError.self) { try JSONCoding.decode(Members.self, from: Array(text.utf8)) }
    #expect(error?.pathAndDescription.path == "d")
    #expect(error?.pathAndDescription.description == "The member \"d\" is missing.")
  }

  struct Hoarder: Decodable {
    let kept: any Decoder
    init(from decoder: any Decoder) throws { kept = decoder }
  }

  @Test func `gives an error to a decoder that is used when all is over`() throws {
    let hoarder = try JSONCoding.decode(Hoarder.self, from: Array("[1]".utf8))
    #expect(throws: DecodingError.self) { try hoarder.kept.unkeyedContainer() }
  }

  @Test func `counts the values of a text, whatever it is decoded as`() {
    func count<Value: Decodable>(_ text: String, _ type: Value.Type) -> Int {
      var count = -1
      Array(text.utf8).withUnsafeBytes { bytes in
        _ = try? JSONCoding.decode(type, from: bytes, maximumDepth: 8, counting: &count)
      }
      return count
    }
    let text = #"{"a":[1,2],"b":[]}"#
    #expect(count(text, JSONValue.self) == 7 && count(text, [String: [Int]].self) == 7 && count("7", Int.self) == 1)
    // Of another shape they count as well, and of what is no JSON nothing does.
    #expect(count(text, [String: [String]].self) == 7 && count(text, String.self) == 7)
    #expect(count(text + "]", JSONValue.self) == -1 && count(text + "]", String.self) == -1)
    #expect(count("", Int.self) == -1)
  }

  @Test func `carries a value of any depth that is there already`() throws {
    var value: JSONValue = 1
    for _ in 0..<100 { value = [value] }
    #expect(try JSONCoding.decode(JSONValue.self, from: value) == value)
    #expect(try JSONCoding.value(of: [value]) == .array([value]))
    #expect(throws: JSONError.self) { try JSONCoding.parse(value.description) }
  }

  @Test func `reads 10,000 members and refuses a repeated one among them`() throws {
    let members = (0..<10_000).map { "\"k\($0)\":\($0)" }
    let object = try JSONCoding.decode([String: Int].self, from: Array("{\(members.joined(separator: ","))}".utf8))
    #expect(object.count == 10_000)
    let repeated = "{\((members + ["\"k5000\":1"]).joined(separator: ","))}"
    let error = #expect(throws: JSONError.self) {
      try JSONCoding.decode([String: Int].self, from: Array(repeated.utf8))
    }
    #expect(error?.reason == .duplicateKey("k5000"))
  }
}
