/// The offsets at which the lines of a source begin, for a caller that needs many places of one source.
package struct LineTable: Sendable {
  private let starts: [Int]
  private let source: GraphQLSource

  /// Finds the beginnings of the lines of a source.
  package init(_ source: GraphQLSource) {
    self.source = source
    let bytes = source.bytes
    // A byte order mark at the beginning counts for no column.
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    for (index, byte) in bytes.enumerated() {
      // A line ends with a line feed, a carriage return, or both.
      if byte == 0x0A || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)) {
        starts.append(index + 1)
      }
    }
    self.starts = starts
  }

  /// The line and the column of a byte.
  package func location(of offset: Int) -> SourceLocation {
    let end = min(max(0, offset), source.bytes.count)
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= end { low = middle } else { high = middle }
    }
    let line = starts[low] < end ? source.bytes[starts[low]..<end] : []
    return SourceLocation(file: source.name, line: low + 1, column: Self.characters(line) + 1)
  }

  /// Counts the scalars of a line, not its characters: the line may be as long as the source.
  private static func characters(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.count > 4_096 ? bytes.count { $0 & 0xC0 != 0x80 } : String(decoding: bytes, as: UTF8.self).count
  }
}
