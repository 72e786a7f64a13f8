import Files
import Glibc
import Images

/// Writes files of tests, each as a whole.
enum FileSystem {
  struct NotWritten: Error { let path: String }

  static func write(_ bytes: [UInt8], to path: String) throws {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/\(part)"
      mkdir(folder, 0o700)
    }
    // Other threads look at the folder meanwhile: put in place at once, under a name that is no content before.
    let temporary = "\(folder)/.new"
    guard let file = fopen(temporary, "we") else { throw NotWritten(path: path) }
    let count = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, count == bytes.count, rename(temporary, path) == 0 else { throw NotWritten(path: path) }
  }
}

/// A picture of 60 by 40 pixels.
enum Landscape {
  /// A PNG file, grey, without compression, made by hand.
  static let bytes: [UInt8] = {
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    append("IHDR", bigEndian(60) + bigEndian(40) + [8, 0, 0, 0, 0], to: &file)
    var rows: [UInt8] = []
    for y in 0..<40 { rows += [0] + (0..<60).map { UInt8($0 * 3 + y) } }
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in rows {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    let count = UInt16(rows.count)
    let block = [1, UInt8(truncatingIfNeeded: count), UInt8(count >> 8)]
    let check = [UInt8(truncatingIfNeeded: ~count), UInt8(~count >> 8)]
    append("IDAT", [0x78, 1] + block + check + rows + bigEndian(high << 16 | low), to: &file)
    append("IEND", [], to: &file)
    return file
  }()

  private static func append(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
    let content = Array(type.utf8) + data
    var sum: UInt32 = 0xffff_ffff
    for byte in content {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xedb8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    file += bigEndian(UInt32(data.count)) + content + bigEndian(~sum)
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
