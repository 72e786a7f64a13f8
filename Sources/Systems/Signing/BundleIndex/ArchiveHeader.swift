import BundleSeals

/// The block before an entry of a tape archive, with what `pax` adds for long names.
struct ArchiveHeader {
  private static let nameLength = 100

  /// One or three blocks: a header of its own tells long names.
  let bytes: [UInt8]

  init(_ path: String, _ entry: SealedEntry) {
    let name: [UInt8]
    var target: [UInt8] = []
    let fields: (mode: UInt32, size: Int64, kind: Character)
    switch entry {
    case .file(let mode, let size, _): (name, fields) = (Array(path.utf8), (mode, size, "0"))
    case .folder(let mode): (name, fields) = (Array("\(path)/".utf8), (mode, 0, "5"))
    case .link(let text): (name, target, fields) = (Array(path.utf8), Array(text.utf8), (0o777, 0, "2"))
    }
    var bytes: [UInt8] = []
    var long = LongNames()
    if name.count > Self.nameLength { long.path = name }
    if target.count > Self.nameLength { long.target = target }
    if !long.isEmpty {
      let records = long.bytes
      bytes = Self.block(Array("pax".utf8), [], 0o644, Int64(records.count), "x") + records
      bytes += [UInt8](repeating: 0, count: BundleArchive.padding(Int64(records.count)))
    }
    self.bytes = bytes + Self.block(name, target, fields.mode, fields.size, fields.kind)
  }

  /// POSIX.1-1988: name, mode, user, group, size, time, sum, kind, target, and who made it.
  private static func block(
    _ name: [UInt8], _ target: [UInt8], _ mode: UInt32, _ size: Int64, _ kind: Character
  ) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: BundleArchive.block)
    func put(_ bytes: [UInt8], at place: Int, _ length: Int) {
      for (offset, byte) in bytes.prefix(length).enumerated() { block[place + offset] = byte }
    }
    func octal(_ value: Int64, _ digits: Int) -> [UInt8] {
      let text = String(value, radix: 8)
      return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8)
    }
    put(name, at: 0, nameLength)
    put(octal(Int64(mode), 7), at: 100, 7)
    put(octal(0, 7), at: 108, 7)
    put(octal(0, 7), at: 116, 7)
    put(octal(size, 11), at: 124, 11)
    put(octal(0, 11), at: 136, 11)
    put(Array("        ".utf8), at: 148, 8)
    put(Array(String(kind).utf8), at: 156, 1)
    put(target, at: 157, nameLength)
    put(Array("ustar".utf8), at: 257, 5)
    put(Array("00".utf8), at: 263, 2)
    put(octal(block.reduce(0) { $0 + Int64($1) }, 6) + [0], at: 148, 7)
    return block
  }

  /// A header as it was read.
  struct Raw {
    let path: [UInt8]
    let target: [UInt8]
    let mode: UInt32
    let size: Int64
    let kind: UInt8

    /// - Returns: `nil` for a block whose sum is wrong, or with a number out of its bounds.
    init?(_ block: [UInt8]) {
      guard block.count == BundleArchive.block, Array(block[257..<262]) == Array("ustar".utf8),
        let sum = Self.octal(block[148..<156]), let mode = Self.octal(block[100..<108]), mode <= 0o7777,
        let size = Self.octal(block[124..<136]), size <= SealedTree.maximumBytes
      else { return nil }
      // The sum counts its own field as spaces.
      let counted = block.reduce(256) { $0 + Int64($1) } - block[148..<156].reduce(0) { $0 + Int64($1) }
      guard counted == sum else { return nil }
      func text(_ range: Range<Int>) -> [UInt8] { Array(block[range].prefix { $0 != 0 }) }
      let prefix = text(345..<500)
      path = (prefix.isEmpty ? [] : prefix + [0x2F]) + text(0..<100)
      target = text(157..<257)
      (self.mode, self.size, kind) = (UInt32(mode), size, block[156])
      // What only a header says has no content; a size there would be skipped over, or taken for the next header.
      if kind != UInt8(ascii: "0"), kind != 0, kind != UInt8(ascii: "x"), size != 0 { return nil }
    }

    /// A number of at most eleven octal digits, with spaces or zero bytes behind it.
    private static func octal(_ field: ArraySlice<UInt8>) -> Int64? {
      let digits = field.prefix { (0x30...0x37).contains($0) }
      guard (1...11).contains(digits.count), field.dropFirst(digits.count).allSatisfy({ $0 == 0 || $0 == 0x20 }) else {
        return nil
      }
      return digits.reduce(0) { $0 << 3 | Int64($1 - 0x30) }
    }
  }
}

/// The records `path` and `linkpath` of a `pax` header (POSIX.1-2001).
struct LongNames {
  var path: [UInt8]?
  var target: [UInt8]?

  init() {}

  var isEmpty: Bool { path == nil && target == nil }

  /// Reads records “LENGTH NAME=VALUE\n”; `nil` for any other name, too.
  init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...5).contains(digits.count) else { return nil }
      let length = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      guard length > digits.count + 2, length <= rest.count else { return nil }
      let record = rest.prefix(length)
      guard record.last == 0x0A, record.dropFirst(digits.count).first == 0x20 else { return nil }
      let text = record.dropFirst(digits.count + 1).dropLast()
      guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      switch String(decoding: text[..<equals], as: UTF8.self) {
      case "path": path = Array(text[text.index(after: equals)...])
      case "linkpath": target = Array(text[text.index(after: equals)...])
      default: return nil
      }
      rest = rest.dropFirst(length)
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in [("path", path), ("linkpath", target)] {
      guard let value else { continue }
      let rest = Array(" \(name)=".utf8) + value + [0x0A]
      // The length counts its own digits.
      var length = rest.count + 1
      while "\(length)".utf8.count + rest.count != length { length += 1 }
      bytes += Array("\(length)".utf8) + rest
    }
    return bytes
  }
}
