extension TreeBuilder {
  /// Ends and begins blocks until one can hold a node of this kind.
  mutating func makeRoom(for kind: Kind) throws(MultiLineTextError) {
    var own = frames.count
    while !accepts(kind) {
      if frames.count == own, own > 1, givesWay(to: kind) {
        try pop()
        own = frames.count
      } else {
        try push(Self.stepToward(kind, in: top), isImplicit: true)
      }
    }
  }

  private func accepts(_ kind: Kind) -> Bool {
    if top.isLine { return kind.isInline }
    if top.isList { return kind == .listItem }
    switch top.kind {
    case .table: return kind == .tableBody
    case .tableBody: return kind == .tableRow
    case .tableRow: return kind == .tableData
    case .codeBlock: return kind == .text
    default: break
    }
    switch kind {
    case .listItem, .tableBody, .tableRow, .tableData: return false
    default: return top.holdsBoth || !kind.isInline
    }
  }

  /// Whether the innermost block ends when a node of this kind comes that it cannot hold.
  private func givesWay(to kind: Kind) -> Bool {
    if top.isLine || top.kind == .codeBlock { return true }
    guard let level = Self.level(top.kind) else { return top.isImplicit }
    if let other = Self.level(kind) { return other <= level }
    // A node that is no part of a table stays inside a table of the source, and follows a table that the builder added.
    return kind != .tableData && frames.last { $0.kind == .table }?.isImplicit == true
  }

  /// The parts of a table from outer to inner; a cell holds everything.
  private static func level(_ kind: Kind?) -> Int? {
    switch kind {
    case .tableBody: 1
    case .tableRow: 2
    default: nil
    }
  }

  /// Returns the kind of block that has to be between a block and a node that the block cannot contain.
  private static func stepToward(_ kind: Kind, in frame: Frame) -> Kind {
    if frame.isList { return .listItem }
    switch frame.kind {
    case .table: return .tableBody
    case .tableBody: return .tableRow
    case .tableRow: return .tableData
    default: break
    }
    switch kind {
    case .listItem: return .unorderedList
    case .tableBody, .tableRow, .tableData: return .table
    default: return .paragraph
    }
  }
}
