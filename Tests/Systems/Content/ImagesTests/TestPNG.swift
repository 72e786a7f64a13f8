/// Writes PNG files of every kind, without compression.
struct TestPNG {
  var width: Int
  var height: Int
  /// 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha.
  var colourType: Int
  var depth: Int
  var isInterlaced = false
  var palette: [[UInt8]] = []
  /// The samples of a pixel, each with as many bits as the depth.
  var samples: (_ x: Int, _ y: Int) -> [Int]

  var bytes: [UInt8] {
    var header = Self.word(width) + Self.word(height)
    header += [UInt8(depth), UInt8(colourType), 0, 0, isInterlaced ? 1 : 0]
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
    if !palette.isEmpty {
      file += Self.chunk("PLTE", palette.flatMap { $0.prefix(3) })
      file += Self.chunk("tRNS", palette.map { $0[3] })
    }
    return file + Self.chunk("IDAT", Self.stored(rows)) + Self.chunk("IEND", [])
  }

  private var rows: [UInt8] {
    // First column and row, and the steps, of each pass.
    let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    return (isInterlaced ? passes : [(0, 0, 1, 1)]).flatMap { left, top, right, down in
      stride(from: top, to: height, by: down).flatMap { y in
        row(stride(from: left, to: width, by: right).flatMap { samples($0, y) })
      }
    }
  }

  private func row(_ samples: [Int]) -> [UInt8] {
    if samples.isEmpty { return [] }
    var bits: [UInt8] = samples.flatMap { sample in (0..<depth).reversed().map { UInt8(sample >> $0 & 1) } }
    while bits.count % 8 != 0 { bits.append(0) }
    return [0] + stride(from: 0, to: bits.count, by: 8).map { bits[$0..<($0 + 8)].reduce(0) { $0 << 1 | $1 } }
  }

  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(type.utf8) + content
    var check: UInt32 = .max
    for byte in named {
      check ^= UInt32(byte)
      for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1 }
    }
    return word(content.count) + named + word(Int(~check))
  }

  /// A zlib stream of one stored block.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(bytes.count)
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    let lengths = [count, ~count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return [0x78, 0x01, 0x01] + lengths + bytes + word(high << 16 | low)
  }

  private static func word(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
