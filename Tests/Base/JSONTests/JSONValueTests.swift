import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A JSON value` {
  @Test(
    arguments: [
      (.integer(.min), Int64.min), (2.0, 2), (-0.0, 0), (2.5, nil), (.double(-0x1p63), Int64.min),
      (.double(0x1p63), nil), (.unsigned(1 << 63), nil), ("1", nil), (true, nil), (.null, nil), ([1], nil),
    ] as [(JSONValue, Int64?)])
  func `is an integer where it has no fraction and 64 bits hold it`(value: JSONValue, integer: Int64?) {
    #expect(value.integerValue == integer)
  }

  @Test func `is made of an integer of any width, exactly where it can be`() {
    let half: UInt64 = 1 << 63
    #expect(JSONValue(Int8.min) == -128 && JSONValue(half - 1) == .integer(.max))
    #expect(JSONValue(half) == .unsigned(half) && JSONValue(UInt64.max) == .unsigned(.max))
    let (above, below): (Int128, Int128) = (0x1_0000_0000_0000_0000, -0x8000_0000_0000_0001)
    #expect(JSONValue(above) == .double(0x1p64))
    #expect(JSONValue(below) == .double(-0x1p63))
  }

  @Test func `has no element before its first and behind its last, and no member of another kind`() {
    let list: JSONValue = [1, 2]
    #expect(list[0] == 1 && list[1] == 2 && list["0"] == nil)
    #expect(list[2] == nil && list[-1] == nil)
    let object: JSONValue = ["0": .null]
    #expect(object["0"] == .null && object["1"] == nil && object[0] == nil)
  }

  @Test(
    arguments: [
      (.null, "null"), (false, "a boolean"), (1, "a number"), (.unsigned(.max), "a number"), (1.5, "a number"),
      ("", "a string"), ([], "an array"), ([:], "an object"),
    ] as [(JSONValue, String)])
  func `is called by its kind`(value: JSONValue, kind: String) { #expect(value.kind == kind) }
}
