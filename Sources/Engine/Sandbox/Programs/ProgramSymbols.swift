import CLinux
import Files

/// The libraries that a program or library names and the symbols that it does not define.
///
/// Read from the tables of the file, which are foreign bytes. A function that is called through a pointer or by its
/// system call's number occurs in no table; at run time the sandbox is what protects.
package struct ProgramSymbols: Sendable {
  /// Whether it is built for this machine.
  package let isForThisMachine: Bool
  /// Whether it names no loader and no library: then its symbols cannot be seen.
  package let isStatic: Bool
  /// The libraries, as the loader looks for them.
  package let libraries: [String]
  /// The symbols that others are to define, without versions, sorted; `nil` when the table cannot be read.
  package let imports: [String]?
  /// What the file has too much of to be looked at, one sentence that begins after its name; `nil` for files in use.
  package let excess: String?

  private static let maximumTable = 16 << 20
  private static let symbolTable: UInt32 = 11
  private static let symbolSize = 24

  /// Reads the tables of a file.
  ///
  /// - Parameter path: the file, which is read in pieces.
  /// - Returns: `nil` for anything but a 64-bit program or library.
  package init?(path: String) {
    self.init { offset, count in File.prefix(of: path, limit: count, from: offset) }
  }

  /// - Parameter bytes: of a whole file.
  /// - Returns: `nil` for anything but a program or library of 64 bits.
  package init?(_ bytes: [UInt8]) {
    self.init { offset, count in
      offset < bytes.count ? Array(bytes[offset..<(offset + min(count, bytes.count - offset))]) : nil
    }
  }

  /// - Parameter read: Returns up to `count` bytes from an offset of the file, nil when there are none.
  private init?(read: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    guard let image = ELFImage(read: read) else { return nil }
    isForThisMachine = image.header.isForThisMachine
    isStatic = image.interpreter == nil && image.needed.isEmpty
    libraries = image.needed
    var budget = ELFBudget.symbols
    imports = Self.imports(&budget, read: read)
    excess = image.excess ?? budget.excess
  }

  /// Returns the undefined symbols of the dynamic symbol table, found by the section headers.
  private static func imports(_ budget: inout ELFBudget, read: (_ offset: Int, _ count: Int) -> [UInt8]?) -> [String]? {
    guard let start = read(0, 64), start.count == 64 else { return nil }
    let header = ELFBytes(start)
    guard let offset = header.offset(40), header.half(58) == 64, let count = header.half(60), offset > 0 else {
      return nil
    }
    guard let raw = read(offset, Int(count) * 64) else { return nil }
    let sections = ELFBytes(raw)
    guard let index = (0..<Int(count)).first(where: { sections.word($0 * 64 + 4) == symbolTable }),
      let symbols = section(index, of: sections, &budget, read: read), let link = sections.word(index * 64 + 40),
      let names = section(Int(link), of: sections, &budget, read: read)
    else { return nil }
    guard symbols.count / symbolSize <= ELFBudget.maximumSymbols else {
      budget.exceed("more than \(ELFBudget.maximumSymbols) symbols")
      return nil
    }
    var found: Set<String> = []
    for start in stride(from: 0, to: symbols.count - symbolSize + 1, by: symbolSize)
    where symbols.half(start + 6) == 0 {
      guard let name = symbols.word(start), name != 0 else { continue }
      if let text = budget.text(in: names, at: Int(name)) { found.insert(text) }
      if budget.excess != nil { return nil }
    }
    return found.sorted()
  }

  private static func section(
    _ index: Int, of table: ELFBytes, _ budget: inout ELFBudget, read: (Int, Int) -> [UInt8]?
  ) -> ELFBytes? {
    guard let offset = table.offset(index * 64 + 24), let size = table.offset(index * 64 + 32), size > 0 else {
      return nil
    }
    guard size <= maximumTable else {
      budget.exceed("a table of symbols of more than \(maximumTable >> 20) MiB")
      return nil
    }
    return read(offset, size).map { ELFBytes($0) }
  }

  /// Returns the words that a file contains between zero bytes, as programs contain the names of Swift modules.
  ///
  /// - Parameter limit: the number of bytes to search, from the beginning.
  package static func words(_ words: [String], in path: String, limit: Int = 256 << 20) -> Set<String> {
    var found: Set<String> = []
    let patterns = words.map { ($0, [0] + Array($0.utf8) + [0]) }
    let overlap = (patterns.map(\.1.count).max() ?? 1) - 1
    var offset = 0
    while offset < limit, let chunk = File.prefix(of: path, limit: 4 << 20, from: offset), chunk.count > overlap {
      for (word, pattern) in patterns where !found.contains(word) && contains(chunk, pattern) { found.insert(word) }
      offset += chunk.count - overlap
    }
    return found
  }

  private static func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe pattern.withUnsafeBytes { pattern in
        guard let base = bytes.baseAddress, let wanted = pattern.baseAddress else { return false }
        return unsafe clinux_find(base, bytes.count, wanted, pattern.count) < bytes.count
      }
    }
  }
}

/// The kind of a file, for the verification of bundles.
package enum FileLook {
  /// What makes a file of a bundle unfit, one sentence each without the file's name; links are not followed.
  package static func faults(of path: String) -> [String] {
    guard let status = FileStatus(path) else { return ["It cannot be read."] }
    var faults: [String] = []
    if status.kind == .other || status.kind == .characterDevice { faults.append("It is not a file, folder or link.") }
    guard status.kind == .regular || status.kind == .directory else { return faults }
    if status.kind == .regular, status.isSetID { faults.append("It takes another user's rights (setuid or setgid).") }
    if status.isWritableByOthers { faults.append("It can be changed by other users.") }
    if status.kind == .regular, File.hasCapabilities(path) { faults.append("It carries file capabilities.") }
    return faults
  }

  /// What is wrong with the owner of a file of a bundle, who could change it; `nil` when that is root or the host's user.
  ///
  /// - Returns: a sentence and what to type for the whole bundle.
  package static func ownerFault(
    of path: String, in bundle: String, _ rules: PlaceRules
  ) -> (message: String, recovery: String)? {
    guard let status = FileStatus(path), !rules.isTrusted(status.owner, path) else { return nil }
    if let fault = rules.fault(ofOwner: status.owner) {
      return ("Others may be able to change it: \(fault)", "Start the host without unshare -r.")
    }
    return (
      "It belongs to user \(status.owner), who could change it.", "Run: sudo chown -hR \(rules.hostUser) \(bundle)."
    )
  }

  /// Where a symbolic link leads, links on the way resolved; `nil` for anything else.
  package static func link(_ path: String) -> String?? {
    guard FileStatus(path)?.kind == .link else { return nil }
    return .some(ResolvedPath(path)?.path)
  }

  /// Whether this is a folder and no link to one.
  package static func isFolder(_ path: String) -> Bool { FileStatus(path)?.kind == .directory }
}
