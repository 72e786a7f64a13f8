/// An image of at most 16 colours as a PNG file (https://www.w3.org/TR/png-3), without compression.
struct PNGFile {
  let width: Int
  let height: Int
  let palette: [(UInt8, UInt8, UInt8)]
  /// Row by row, an index into the palette for each pixel.
  let pixels: [UInt8]

  var bytes: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    // Four bits a pixel, colours by index, no interlacing.
    Self.append("IHDR", Self.bigEndian(width) + Self.bigEndian(height) + [4, 3, 0, 0, 0], to: &file)
    Self.append("PLTE", palette.flatMap { [$0.0, $0.1, $0.2] }, to: &file)
    Self.append("IDAT", Self.stored(rows), to: &file)
    Self.append("IEND", [], to: &file)
    return file
  }

  /// Each row begins with its filter (none); two pixels are one byte.
  private var rows: [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (width / 2 + 2))
    for y in 0..<height {
      rows.append(0)
      for x in stride(from: 0, to: width, by: 2) {
        let right = x + 1 < width ? pixels[y * width + x + 1] : 0
        rows.append(pixels[y * width + x] << 4 | right)
      }
    }
    return rows
  }

  /// A zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4).
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = data[...]
    repeat {
      let block = rest.prefix(65535)
      rest = rest.dropFirst(65535)
      let count = UInt16(block.count)
      stream.append(rest.isEmpty ? 1 : 0)
      stream += [UInt8(truncatingIfNeeded: count), UInt8(count >> 8)]
      stream += [UInt8(truncatingIfNeeded: ~count), UInt8(~count >> 8)]
      stream += block
    } while !rest.isEmpty
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in data {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return stream + bigEndian(Int(high << 16 | low))
  }

  private static func append(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
    let content = Array(type.utf8) + data
    file += bigEndian(data.count)
    file += content
    let sum = ~content.reduce(0xffff_ffff as UInt32) { sums[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    file += bigEndian(Int(sum))
  }

  private static let sums: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xedb8_8320 ^ (sum >> 1) : sum >> 1 }
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
