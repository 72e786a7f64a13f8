/// The forms in which clients write UUIDs.
package enum UUIDText {
  /// 32 hexadecimal digits in lower case, of the same with hyphens, with `urn:uuid:` before them, or between braces;
  /// `nil` for everything else.
  package static func canonical(_ text: String) -> String? {
    var bytes = Array(text.lowercased().utf8.prefix(46))
    let prefix = Array("urn:uuid:".utf8)
    if bytes.starts(with: prefix) {
      bytes.removeFirst(prefix.count)
    } else if bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}"), bytes.count > 2 {
      bytes = Array(bytes.dropFirst().dropLast())
    }
    if bytes.count == 36 {
      for index in [23, 18, 13, 8] {
        guard bytes[index] == UInt8(ascii: "-") else { return nil }
        bytes.remove(at: index)
      }
    }
    let isHex = bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return bytes.count == 32 && isHex ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
