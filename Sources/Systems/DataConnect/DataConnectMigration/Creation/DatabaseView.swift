import DataConnectCompiler

/// A view whose statement the schema has.
struct DatabaseView {
  let table: Table
  /// Without the semicolons and spaces behind it.
  let sql: String

  init?(_ table: Table) {
    guard case .view(let sql?) = table.kind else { return nil }
    self.table = table
    let end = sql.lastIndex { !$0.isWhitespace && $0 != ";" }
    self.sql = String(sql[..<(end.map(sql.index(after:)) ?? sql.startIndex)])
  }

  /// The beginning of a comment that tells views of ours.
  static let markBeginning = "annex "

  /// The comment that tells which statement it was made of: the server keeps it in other words. FNV-1a, hexadecimal.
  var mark: String {
    let hash = sql.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return Self.markBeginning + String(hash, radix: 16)
  }

  /// The names in its statement, and its other words.
  fileprivate var words: Set<Substring> {
    Set(sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
  }
}

extension CompiledSchema {
  /// The views that the database is to have, each behind those that its statement names.
  var viewsInOrder: [DatabaseView] {
    var waiting = tables.compactMap { DatabaseView($0) }
    var ordered: [DatabaseView] = []
    while !waiting.isEmpty {
      let names = Set(waiting.map { Substring($0.table.sqlName) })
      let ready = waiting.filter { $0.words.intersection(names).subtracting([Substring($0.table.sqlName)]).isEmpty }
      // Views that name each other in a circle: the server tells what is missing.
      guard !ready.isEmpty else { return ordered + waiting }
      ordered += ready
      waiting.removeAll { view in ready.contains { $0.table.name == view.table.name } }
    }
    return ordered
  }
}
