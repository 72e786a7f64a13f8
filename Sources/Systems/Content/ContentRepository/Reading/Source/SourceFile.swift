import JSON

/// A JSON file that was read.
final class SourceFile: Sendable {
  let path: String
  let stamp: String
  let root: LocatedJSON
  /// The offsets of the first byte of each line.
  private let lines: [Int]

  /// - Throws: where the bytes are no JSON.
  init(path: String, stamp: String, bytes: [UInt8]) throws(JSONError) {
    self.path = path
    self.stamp = stamp
    root = try LocatedJSON.parse(bytes)
    var lines = [0]
    for (index, byte) in bytes.enumerated() where byte == 0x0A { lines.append(index + 1) }
    self.lines = lines
  }

  /// The line and the column of an offset.
  func place(_ offset: Int) -> SourcePlace {
    var (low, high) = (0, lines.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lines[middle] <= offset { low = middle } else { high = middle }
    }
    return SourcePlace(line: low + 1, column: offset - lines[low] + 1)
  }

  /// The line and the column of a value.
  func place(_ value: LocatedJSON) -> SourcePlace { place(value.offset) }
}
