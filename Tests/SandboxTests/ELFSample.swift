/// A small ELF file with an interpreter, libraries and a search path, and symbols if there are any.
struct ELFSample {
  #if arch(x86_64)
    static let thisMachine: UInt16 = 62
  #else
    static let thisMachine: UInt16 = 183
  #endif

  var machine: UInt16 = ELFSample.thisMachine
  var interpreter = "/lib64/ld.so"
  var needed = ["libone.so", "libtwo.so"]
  var searchPath = "/opt/one:$ORIGIN/lib"
  var usesOldSearchPath = false
  /// How many times the search path is named.
  var searchPathCount = 1
  /// Undefined symbols, all of one name; none leaves the table of sections out.
  var symbolCount = 0
  var symbolName = "puts"

  var bytes: [UInt8] {
    var texts: [UInt8] = [0]
    func place(_ text: String) -> UInt64 {
      defer { texts += Array(text.utf8) + [0] }
      return UInt64(texts.count)
    }
    var dynamic: [(UInt64, UInt64)] = needed.map { (1, place($0)) }
    let path = place(searchPath)
    dynamic += Array(repeating: (usesOldSearchPath ? 15 : 29, path), count: searchPathCount)
    let loader = Array(interpreter.utf8) + [0]
    let textStart = 64 + 3 * 56
    let loaderStart = textStart + texts.count
    let dynamicStart = loaderStart + loader.count
    dynamic += [(5, 0x1000 + UInt64(textStart)), (10, UInt64(texts.count)), (0, 0)]
    let table = dynamic.flatMap { Self.long($0.0) + Self.long($0.1) }
    let total = dynamicStart + table.count
    let loaded =
      Self.segment(1, 0, 0x1000, total) + Self.segment(3, loaderStart, 0, loader.count)
      + Self.segment(2, dynamicStart, 0, table.count) + texts + loader + table
    return symbolCount == 0 ? header + loaded : header(sectionsAt: total) + loaded + sections(at: total)
  }

  /// Three sections: none, the symbols, their names.
  private func sections(at start: Int) -> [UInt8] {
    let names = [0] + Array(symbolName.utf8) + [0]
    let symbol = Self.word(1) + [0x12, 0, 0, 0] + Self.long(0) + Self.long(0)
    let symbols = start + 3 * 64
    let size = symbolCount * symbol.count
    return [UInt8](repeating: 0, count: 64) + Self.section(11, symbols, size, link: 2)
      + Self.section(3, symbols + size, names.count, link: 0)
      + Array(repeatElement(symbol, count: symbolCount).joined()) + names
  }

  private static func section(_ type: UInt32, _ offset: Int, _ size: Int, link: UInt32) -> [UInt8] {
    word(0) + word(type) + long(0) + long(0) + long(UInt64(offset)) + long(UInt64(size)) + word(link) + word(0)
      + long(8) + long(24)
  }

  private func header(sectionsAt offset: Int) -> [UInt8] {
    var header = self.header
    header.replaceSubrange(40..<48, with: Self.long(UInt64(offset)))
    header.replaceSubrange(58..<64, with: Self.half(64) + Self.half(3) + Self.half(0))
    return header
  }

  private var header: [UInt8] {
    let start: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
    let kind = Self.half(3) + Self.half(machine) + Self.word(1) + Self.long(0) + Self.long(64) + Self.long(0)
    return start + kind + Self.word(0) + Self.half(64) + Self.half(56) + Self.half(3) + [UInt8](repeating: 0, count: 6)
  }

  private static func segment(_ type: UInt32, _ offset: Int, _ address: Int, _ size: Int) -> [UInt8] {
    word(type) + word(0) + long(UInt64(offset)) + long(UInt64(address)) + long(UInt64(address)) + long(UInt64(size))
      + long(UInt64(size)) + long(8)
  }

  static func half(_ value: UInt16) -> [UInt8] { Array(long(UInt64(value)).prefix(2)) }
  static func word(_ value: UInt32) -> [UInt8] { Array(long(UInt64(value)).prefix(4)) }
  static func long(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }
}
