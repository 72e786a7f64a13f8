/// Shares the width of a terminal among the columns of a table.
enum ColumnWidths {
  /// - Parameters:
  ///   - total: columns of the terminal, without the gaps.
  ///   - natural: what each column would take.
  ///   - needed: what each column takes when its cells are broken between words; `nil` when they are not.
  static func sharing(_ total: Int, natural: [Int], needed: [Int]?) -> [Int] {
    if natural.reduce(0, +) <= total { return natural }
    guard let needed, needed.reduce(0, +) <= total else { return fairly(total, needed ?? natural) }
    let more = fairly(total - needed.reduce(0, +), zip(natural, needed).map { $0 - $1 })
    return zip(needed, more).map { $0 + $1 }
  }

  /// Divides a width among columns. A column gets the width it wants, or an equal share of what narrower columns leave;
  /// the first columns get the remainder.
  static func fairly(_ total: Int, _ wanted: [Int]) -> [Int] {
    var given = wanted.map { _ in 0 }
    var rest = max(0, total)
    var open = wanted.indices.filter { wanted[$0] > 0 }.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    while let index = open.first {
      let part = rest / open.count
      if wanted[index] > part {
        for (place, index) in open.sorted().enumerated() { given[index] = part + (place < rest % open.count ? 1 : 0) }
        break
      }
      given[index] = wanted[index]
      rest -= wanted[index]
      open.removeFirst()
    }
    return given
  }
}
