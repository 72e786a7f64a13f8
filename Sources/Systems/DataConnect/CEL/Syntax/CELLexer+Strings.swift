extension CELLexer {
  /// A text or bytes in quotes of one or three marks, raw (`r`) or not; `nil` when something else stands here.
  mutating func string() throws(CELError) -> CELToken.Kind? {
    let start = position
    var (ahead, isRaw, isBytes) = (0, false, false)
    while let letter = byte(ahead), ahead < 2 {
      if letter == 0x72 || letter == 0x52, !isRaw {
        isRaw = true
      } else if letter == 0x62 || letter == 0x42, !isBytes {
        isBytes = true
      } else {
        break
      }
      ahead += 1
    }
    guard let quote = byte(ahead), quote == 0x22 || quote == 0x27 else { return nil }
    position += ahead + 1
    let isLong = byte() == quote && byte(1) == quote
    if isLong { position += 2 }
    var content: [UInt8] = []
    while let next = byte() {
      if next == quote, !isLong || (byte(1) == quote && byte(2) == quote) {
        position += isLong ? 3 : 1
        if isBytes { return .bytes(content) }
        return .string(String(decoding: content, as: UTF8.self))
      }
      if !isLong, next == 0x0A || next == 0x0D { break }
      position += 1
      if next == 0x5C, !isRaw {
        try escape(&content, isBytes: isBytes)
      } else {
        content.append(next)
        // A mark behind a backslash does not end a raw text, and stays.
        if next == 0x5C, let mark = byte(), mark == 0x5C || mark == quote {
          content.append(mark)
          position += 1
        }
      }
    }
    throw CELError("The text that begins here does not end.", at: start)
  }

  private mutating func escape(_ content: inout [UInt8], isBytes: Bool) throws(CELError) {
    let start = position - 1
    guard let letter = byte() else { throw CELError("The text does not end.", at: start) }
    position += 1
    let simple: [UInt8: UInt8] = [
      0x61: 7, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9, 0x76: 11, 0x5C: 0x5C, 0x3F: 0x3F, 0x22: 0x22,
      0x27: 0x27, 0x60: 0x60,
    ]
    if let byte = simple[letter] {
      content.append(byte)
      return
    }
    let code: UInt32?
    switch letter {
    case 0x78, 0x58: code = digits(2, radix: 16)
    case 0x75 where !isBytes: code = digits(4, radix: 16)
    case 0x55 where !isBytes: code = digits(8, radix: 16)
    case 0x30...0x33:
      position -= 1
      code = digits(3, radix: 8)
    default: code = nil
    }
    if let code, isBytes, let byte = UInt8(exactly: code) {
      content.append(byte)
    } else if let code, !isBytes, let scalar = Unicode.Scalar(code) {
      content += Array(String(Character(scalar)).utf8)
    } else {
      throw CELError("There is no such escape.", at: start)
    }
  }

  private mutating func digits(_ count: Int, radix: UInt32) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let next = byte(), let digit = Self.digit(next, radix: radix) else { return nil }
      value = value &* radix &+ digit
      position += 1
    }
    return value
  }
}
