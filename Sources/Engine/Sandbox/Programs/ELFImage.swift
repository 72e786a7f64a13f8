import Files

/// What the head of a 64-bit little-endian ELF file says about how it is loaded. Reads foreign bytes: every number is
/// checked before it is used, and whatever does not fit is treated as absent.
struct ELFImage: Sendable, Hashable {
  struct Header: Sendable, Hashable {
    let machine: UInt16
    let programHeaderOffset: Int
    let programHeaderCount: Int

    #if arch(x86_64)
      private static let thisMachine: UInt16 = 62
    #else
      private static let thisMachine: UInt16 = 183
    #endif

    var isForThisMachine: Bool { machine == Self.thisMachine }
  }

  let header: Header
  /// The loader that the kernel starts; nil for a static program or a library.
  let interpreter: String?
  /// Names of libraries, as the loader looks for them.
  let needed: [String]
  /// The directories in which the loader looks first, as the file states them.
  let searchPaths: [String]
  /// What the file has too much of to be looked at, one sentence that begins after its name; nil for files in use. Then
  /// neither libraries nor directories are named.
  let excess: String?

  private static let programHeaderSize = 56
  private static let maximumProgramHeaders = 128
  private static let maximumTable = 1 << 20

  /// - Parameter start: At least the first 64 bytes of a file.
  /// - Returns: nil for anything but a program or library of 64 bits.
  static func header(_ start: some Collection<UInt8>) -> Header? {
    let bytes = ELFBytes(Array(start.prefix(64)))
    guard bytes.count == 64, bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { return nil }
    guard let type = bytes.half(16), type == 2 || type == 3, let machine = bytes.half(18) else { return nil }
    guard let offset = bytes.offset(32), bytes.half(54) == UInt16(programHeaderSize) else { return nil }
    guard let count = bytes.half(56), count <= maximumProgramHeaders else { return nil }
    return Header(machine: machine, programHeaderOffset: offset, programHeaderCount: Int(count))
  }

  /// - Parameter read: Returns up to `count` bytes from an offset of the file, nil when there are none.
  init?(read: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    guard let start = read(0, 64), let header = Self.header(start) else { return nil }
    let tableSize = header.programHeaderCount * Self.programHeaderSize
    guard let table = read(header.programHeaderOffset, max(tableSize, 1)) else { return nil }
    let segments = Self.segments(ELFBytes(table), count: header.programHeaderCount)
    self.header = header
    interpreter = segments.first { $0.type == 3 }.flatMap { segment in
      read(segment.fileOffset, min(segment.fileSize, 4096)).flatMap { ELFBytes($0).string(at: 0) }
    }
    let dynamic = DynamicTable(segments: segments, limit: Self.maximumTable, read: read)
    var budget = ELFBudget.libraries
    let libraries = dynamic?.strings(tag: 1, &budget) ?? []
    // The newer kind of search path replaces the older one.
    let newer = dynamic?.strings(tag: 29, &budget) ?? []
    let older = newer.isEmpty ? dynamic?.strings(tag: 15, &budget) ?? [] : []
    let directories = budget.directories(in: newer + older)
    excess = budget.excess
    needed = excess == nil ? libraries : []
    searchPaths = excess == nil ? directories : []
  }

  init?(path: String) {
    self.init { offset, count in File.prefix(of: path, limit: count, from: offset) }
  }

  struct Segment: Sendable {
    let type: UInt32
    let fileOffset: Int
    let address: Int
    let fileSize: Int
  }

  private static func segments(_ table: ELFBytes, count: Int) -> [Segment] {
    (0..<count).compactMap { index in
      let start = index * programHeaderSize
      guard let type = table.word(start), let offset = table.offset(start + 8),
        let address = table.offset(start + 16), let size = table.offset(start + 32)
      else { return nil }
      return Segment(type: type, fileOffset: offset, address: address, fileSize: size)
    }
  }
}

/// The dynamic section of an ELF file with the strings it refers to.
private struct DynamicTable {
  private var entries: [(tag: UInt64, value: UInt64)] = []
  private var texts: ELFBytes

  init?(segments: [ELFImage.Segment], limit: Int, read: (Int, Int) -> [UInt8]?) {
    guard let dynamic = segments.first(where: { $0.type == 2 }), dynamic.fileSize > 0 else { return nil }
    guard let raw = read(dynamic.fileOffset, min(dynamic.fileSize, limit)) else { return nil }
    texts = ELFBytes([])
    let bytes = ELFBytes(raw)
    for start in stride(from: 0, to: bytes.count - 15, by: 16) {
      guard let tag = bytes.long(start), let value = bytes.long(start + 8), tag != 0 else { break }
      entries.append((tag, value))
    }
    guard let address = number(tag: 5), let size = number(tag: 10), size > 0 else { return nil }
    let load = segments.first { $0.type == 1 && $0.address <= address && address - $0.address < $0.fileSize }
    guard let load else { return nil }
    let (start, overflow) = load.fileOffset.addingReportingOverflow(address - load.address)
    guard !overflow, let raw = read(start, min(size, limit)) else { return nil }
    texts = ELFBytes(raw)
  }

  private func number(tag: UInt64) -> Int? {
    entries.first { $0.tag == tag }.flatMap { Int(exactly: $0.value) }
  }

  func strings(tag: UInt64, _ budget: inout ELFBudget) -> [String] {
    var found: [String] = []
    for entry in entries where entry.tag == tag && budget.excess == nil {
      guard let offset = Int(exactly: entry.value), let text = budget.text(in: texts, at: offset) else { continue }
      found.append(text)
      if found.count > ELFBudget.maximumEntries { budget.exceed("more than \(ELFBudget.maximumEntries) libraries") }
    }
    return found
  }
}

/// Little-endian numbers and strings at offsets that may lie outside.
struct ELFBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func starts(with prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

  private func number(_ offset: Int, length: Int) -> UInt64? {
    guard offset >= 0, offset <= bytes.count - length else { return nil }
    return (0..<length).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  func half(_ offset: Int) -> UInt16? { number(offset, length: 2).map { UInt16(truncatingIfNeeded: $0) } }
  func word(_ offset: Int) -> UInt32? { number(offset, length: 4).map { UInt32(truncatingIfNeeded: $0) } }
  func long(_ offset: Int) -> UInt64? { number(offset, length: 8) }
  /// A number that is used as a place in a file: not negative as an Int.
  func offset(_ offset: Int) -> Int? { long(offset).flatMap { Int(exactly: $0) } }

  func string(at offset: Int) -> String? { text(at: offset, limit: 4096).text }

  /// The text up to the next zero.
  ///
  /// - Parameter limit: bytes that are looked at; a text that does not end in them is none.
  /// - Returns: the text, nil when it is empty or does not end, and how many bytes were looked at.
  func text(at offset: Int, limit: Int) -> (text: String?, length: Int) {
    guard offset >= 0, offset < bytes.count else { return (nil, 1) }
    let range = offset..<(offset + min(limit, bytes.count - offset))
    guard let end = bytes[range].firstIndex(of: 0) else { return (nil, range.count) }
    return (end == offset ? nil : String(decoding: bytes[offset..<end], as: UTF8.self), end - offset + 1)
  }
}
