/// How much is made of the tables of one ELF file. They are foreign: a small table can name one long text many times.
struct ELFBudget {
  /// The largest number of libraries that one file may need, and of directories in which it may look for them. The
  /// largest programs in use name about a hundred.
  static let maximumEntries = 256
  /// Symbols that one file may have in its dynamic table.
  static let maximumSymbols = 1 << 18
  /// Bytes of one name, or of one list of directories.
  private static let maximumName = 1 << 16

  /// What the file has too much of, one sentence that begins after the file's name; nil as long as it has not.
  private(set) var excess: String?
  private var bytes: Int

  /// - Parameter bytes: of all names together.
  private init(bytes: Int) { self.bytes = bytes }

  /// The budget for reading the libraries of a file and their search directories, in bytes.
  static var libraries: ELFBudget { ELFBudget(bytes: 1 << 18) }
  /// For the names of its symbols: three times what the largest tables in use hold.
  static var symbols: ELFBudget { ELFBudget(bytes: 1 << 24) }

  /// Notes what there is too much of.
  mutating func exceed(_ what: String) { if excess == nil { excess = "has \(what)." } }

  /// The text at an offset of a table; nil when there is none, or the budget is spent.
  mutating func text(in table: ELFBytes, at offset: Int) -> String? {
    guard excess == nil else { return nil }
    let (text, length) = table.text(at: offset, limit: Self.maximumName)
    bytes -= length
    if length >= Self.maximumName { exceed("a name of \(Self.maximumName / 1024) KiB or more") }
    if bytes < 0 { exceed("names that are too long altogether") }
    return excess == nil ? text : nil
  }

  /// Lists of directories with colons between them, as single directories.
  mutating func directories(in lists: [String]) -> [String] {
    let found = lists.flatMap { $0.split(separator: ":", maxSplits: Self.maximumEntries).map(String.init) }
    guard found.count > Self.maximumEntries else { return found }
    exceed("more than \(Self.maximumEntries) directories in which it looks for libraries")
    return []
  }
}
