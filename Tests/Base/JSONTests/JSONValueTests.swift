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
    #expect(JSONValue(Int8(-1)) == -1 && JSONValue(UInt64(1) << 63 - 1) == .integer(.max))
    #expect(JSONValue(UInt64(1) << 63) == .unsigned(1 << 63) && JSONValue(UInt64.max) == .unsigned(.max))
    #expect(JSONValue(Int128(UInt64.max) + 1) == .double(0x1p64))
    #expect(JSONValue(Int128(Int64.min) - 1) == .double(-0x1p63))
  }

  @Test func `has no element before its first and behind its last, and no member of another kind`() {
    let list: JSONValue = [1, 2]
    #expect(list[0] == 1 && list[1] == 2 && list[2] == nil && list[-1] == nil && list["0"] == nil)
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
