/// Finding the members of an object. Here and not in the container, whose generic code is slower.
extension TapeStorage {
  /// The node of a member's value.
  ///
  /// - Parameter index: the node of the object.
  func member(_ name: String, of index: Int) -> Int? {
    if let short = ShortText(name), let expected = expected(short, of: index) { return expected }
    var name = name
    return name.withUTF8 { unsafe search(UnsafeRawBufferPointer($0), in: index) }
  }

  /// The node of the value of the member where the search begins, if it has this name: nearly always it has.
  @inline(__always)
  private func expected(_ name: ShortText, of index: Int) -> Int? {
    let object = node(index)
    let at = Int(object.start)
    guard at < Int(object.next) else { return nil }
    let member = node(at)
    guard !member.isEscaped, Int(member.end &- member.start) == name.count,
      unsafe name.isText(at: base + Int(member.start), atMost: end &- Int(member.start))
    else { return nil }
    beginSearch(in: index, at: node(at &+ 1).next)
    return at &+ 1
  }

  @unsafe private func search(_ name: UnsafeRawBufferPointer, in index: Int) -> Int? {
    let object = node(index)
    var at = Int(object.start)
    for _ in 0..<object.end {
      if at >= Int(object.next) { at = index + 1 }
      let after = node(at + 1).next
      if unsafe isNamed(node(at), name) {
        beginSearch(in: index, at: after)
        return at + 1
      }
      at = Int(after)
    }
    return nil
  }

  @inline(__always)
  @unsafe private func isNamed(_ member: TapeNode, _ name: UnsafeRawBufferPointer) -> Bool {
    if member.isEscaped { return unsafe Array(text(member).utf8) == Array(name) }
    guard Int(member.end &- member.start) == name.count else { return false }
    guard let start = name.baseAddress else { return true }
    return unsafe memoryIsEqual(base + Int(member.start), start, name.count)
  }
}
