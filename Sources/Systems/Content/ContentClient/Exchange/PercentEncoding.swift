/// What `encodeURIComponent` leaves as it is (ECMA-262, 19.2.6.4); all else becomes `%XX` of its UTF-8.
func percentEncoded(_ text: some StringProtocol) -> String {
  percentEncoded(text) { "-_.!~*'()".utf8.contains($0) }
}

/// - Parameter isKept: whether a byte stays that is neither letter nor digit.
func percentEncoded(_ text: some StringProtocol, except isKept: (UInt8) -> Bool) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var result: [UInt8] = []
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      result.append(byte)
    case _ where isKept(byte): result.append(byte)
    default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: result, as: UTF8.self)
}
