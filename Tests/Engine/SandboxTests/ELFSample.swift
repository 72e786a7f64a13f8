/// A small ELF file with an interpreter, libraries and a search path, and symbols if there are any.
struct ELFSample {
  #if arch(x86_64)
    static let thisMachine: UInt16 = 62
  #else
    static let thisMachine: UInt16 = 183
  #endif

  var machine: UInt16 = ELFSample.thisMachine
  /// None for a library.
  var interpreter: String? = "/lib64/ld.so"
  var needed = ["libone.so", "libtwo.so"]
  var searchPath = "/opt/one:$ORIGIN/lib"
  var usesOldSearchPath = false
  /// Whether it has the form of a library and is a program: linked statically, for any place.
  var isMarkedAsProgram = false
  /// Of the one segment that is loaded: 4 to read, 2 to write, 1 to execute.
  var rights: UInt32 = 5
  /// What the loaded segment is longer than the file.
  var excess = 0
  /// The rights of the stack; nil without a word about it.
  var stack: UInt32? = 6
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
    if isMarkedAsProgram { dynamic.append((0x6fff_fffb, 0x0800_0000)) }
    let loader: [UInt8] = interpreter.map { Array($0.utf8) + [0] } ?? []
    let textStart = 64 + count * 56
    let loaderStart = textStart + texts.count
    let dynamicStart = loaderStart + loader.count
    dynamic += [(5, 0x1000 + UInt64(textStart)), (10, UInt64(texts.count)), (0, 0)]
    let table = dynamic.flatMap { Self.long($0.0) + Self.long($0.1) }
    let total = dynamicStart + table.count
    let load = Self.segment(1, 0, 0x1000, total, flags: rights, memory: total + excess)
    let starter: [UInt8] = interpreter == nil ? [] : Self.segment(3, loaderStart, 0, loader.count)
    let ending: [UInt8] = stack.map { Self.segment(0x6474_e551, 0, 0, 0, flags: $0) } ?? []
    let segments: [UInt8] = load + starter + Self.segment(2, dynamicStart, 0, table.count) + ending
    let loaded: [UInt8] = segments + texts + loader + table
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

  private var count: Int { 2 + (interpreter == nil ? 0 : 1) + (stack == nil ? 0 : 1) }

  private var header: [UInt8] {
    let start: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
    let kind = Self.half(3) + Self.half(machine) + Self.word(1) + Self.long(0) + Self.long(64) + Self.long(0)
    return start + kind + Self.word(0) + Self.half(64) + Self.half(56) + Self.half(UInt16(count))
      + [UInt8](repeating: 0, count: 6)
  }

  private static func segment(
    _ type: UInt32, _ offset: Int, _ address: Int, _ size: Int, flags: UInt32 = 4, memory: Int? = nil
  ) -> [UInt8] {
    let places = [offset, address, address, size, memory ?? size, 8].flatMap { long(UInt64($0)) }
    return word(type) + word(flags) + places
  }

  static func half(_ value: UInt16) -> [UInt8] { Array(long(UInt64(value)).prefix(2)) }
  static func word(_ value: UInt32) -> [UInt8] { Array(long(UInt64(value)).prefix(4)) }
  static func long(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }
}
