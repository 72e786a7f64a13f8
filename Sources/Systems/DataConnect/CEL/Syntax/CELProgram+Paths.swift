extension CELProgram {
  /// The paths that the expression reads. Each is a top-level name with the members that follow, so that
  /// `auth.token["a"].b` is `auth`, `token`, `a` and `b`. A computed member is `nil`.
  package var paths: [[String?]] {
    var found: [[String?]] = []
    root.collect(into: &found)
    return found
  }
}

extension CELNode {
  private var path: [String?]? {
    switch kind {
    case .name(let name): [name]
    case .member(let node, let name), .has(let node, let name): node.path.map { $0 + [name] }
    case .element(let node, let index):
      if case .literal(.string(let name)) = index.kind {
        node.path.map { $0 + [name] }
      } else {
        node.path.map { $0 + [nil] }
      }
    default: nil
    }
  }

  /// - Parameter isInner: whether the node is the beginning of a path that was already found.
  fileprivate func collect(into found: inout [[String?]], isInner: Bool = false) {
    let path = isInner ? nil : path
    if let path { found.append(path) }
    let isPath = isInner || path != nil
    switch kind {
    case .name: break
    case .member(let node, _), .has(let node, _): node.collect(into: &found, isInner: isPath)
    case .element(let node, let index):
      node.collect(into: &found, isInner: isPath)
      index.collect(into: &found)
    default: for operand in operands { operand.collect(into: &found) }
    }
  }
}
