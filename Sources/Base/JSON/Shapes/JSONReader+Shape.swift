/// What the text has next in an object that is read by a plan.
private enum NextMember {
  /// A member of the plan, up to its value.
  case known(Int)
  /// A member that the plan does not have, with its value.
  case skipped
  case end
  /// Anything else.
  case wrong
}

extension JSONReader {
  /// Reads one value into uninitialized memory.
  @inline(__always)
  @unsafe mutating func read(_ operation: ShapeOperation, _ memory: UnsafeMutableRawPointer) -> Bool {
    operation.kind == .other ? unsafe operation.read(&self, memory) : unsafe readLeaf(operation.kind, memory)
  }

  /// Reads an object into the uninitialized memory of a structure.
  ///
  /// - Returns: false, with nothing left in memory, when anything is not as the plan wants it. What it was is found by
  ///   reading the text once more, with a tape.
  @unsafe mutating func read(_ plan: ShapePlan, _ root: UnsafeMutableRawPointer) -> Bool {
    skipSpace()
    guard at < end, byte(at) == 0x7B, depth < maximumDepth else { return false }
    at &+= 1
    return unsafe readMembers(plan, root)
  }

  /// The same from behind the bracket.
  @unsafe mutating func readMembers(_ plan: ShapePlan, _ root: UnsafeMutableRawPointer) -> Bool {
    depth &+= 1
    values &+= 1
    let mark = names.names.count
    var seen: UInt64 = 0
    let isRead = unsafe readMembers(plan, root, &seen)
    // Their names; what each value is made of, its reader has counted.
    values &+= seen.nonzeroBitCount
    if isRead,
      names.names.count == mark || (try? settleNames(from: mark)) != nil,
      unsafe seen == plan.all || fillAbsent(plan, root, &seen)
    {
      return true
    }
    unsafe plan.destroy(seen, root)
    return false
  }

  @inline(__always)
  @unsafe private mutating func readMembers(
    _ plan: ShapePlan, _ root: UnsafeMutableRawPointer, _ seen: inout UInt64
  ) -> Bool {
    var expected = 0
    var isFirst = true
    while true {
      if at < end, byte(at) == 0x7D {
        leave()
        return true
      }
      var index = unsafe compactName(plan, expected, isFirst)
      if index < 0 {
        switch otherMember(plan, isFirst) {
        case .known(let known): index = known
        case .skipped:
          isFirst = false
          continue
        case .end: return true
        case .wrong: return false
        }
      }
      let member = unsafe plan.members[index]
      let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
      let place = unsafe root + member.offset
      if seen & bit != 0 { return false }
      if member.kind != .other {
        guard unsafe readLeaf(member.kind, place) else { return false }
      } else {
        guard unsafe member.operation._withUnsafeGuaranteedRef({ unsafe $0.read(&self, place) }) else { return false }
      }
      seen |= bit
      expected = index &+ 1
      isFirst = false
    }
  }

  /// The member whose name comes next without white space, the expected one or a later one; -1 when it is none.
  @inline(__always)
  @unsafe private mutating func compactName(_ plan: ShapePlan, _ expected: Int, _ isFirst: Bool) -> Int {
    var index = expected
    let comma = isFirst ? 1 : 0
    while unsafe index < plan.members.count {
      let member = unsafe plan.members[index]
      let count = member.textCount &- comma
      if at &+ count <= end, unsafe memoryIsEqual(base + at, member.text + comma, count) {
        at &+= count
        return index
      }
      index &+= 1
    }
    return -1
  }

  /// The next member in any order and with white space, or the end of the object.
  @inline(never)
  private mutating func otherMember(_ plan: ShapePlan, _ isFirst: Bool) -> NextMember {
    do throws(JSONError) {
      let next = try peek()
      if next == 0x7D {
        leave()
        return .end
      }
      if !isFirst {
        guard next == 0x2C else { return .wrong }
        at &+= 1
      }
      let name = try stringSpan()
      try expect(0x3A)
      if let index = index(of: name, in: plan) { return .known(index) }
      note(name)
      let first = try peek()
      if first == 0x7B || first == 0x5B {
        values &+= try TapeStorage(valueOf: &self).values &+ 1
      } else {
        try skip()
        values &+= 2
      }
      return .skipped
    } catch {
      return .wrong
    }
  }

  private func index(of name: StringSpan, in plan: ShapePlan) -> Int? {
    if name.isEscaped {
      let text = text(of: name)
      return plan.rows.firstIndex { $0.name.hasEqualBytes(text) }
    }
    let count = name.end &- name.start
    return unsafe plan.members.firstIndex { member in
      // The plan's text has a comma, two quotes and a colon around the name.
      unsafe member.textCount == count &+ 4 && memoryIsEqual(base + name.start, member.text + 2, count)
    }
  }

  @inline(never)
  @unsafe private func fillAbsent(_ plan: ShapePlan, _ root: UnsafeMutableRawPointer, _ seen: inout UInt64) -> Bool {
    for (index, row) in plan.rows.enumerated() where seen & 1 << UInt64(index) == 0 {
      guard unsafe row.operation.fillAbsent(root + row.offset) else { return false }
      seen |= 1 << UInt64(index)
    }
    return true
  }

  /// Reads a value of a type that is known here.
  @inline(__always)
  @unsafe private mutating func readLeaf(_ kind: ShapeOperation.Kind, _ memory: UnsafeMutableRawPointer) -> Bool {
    values &+= 1
    do throws(JSONError) {
      switch kind {
      case .int: unsafe memory.initializeMemory(as: Int.self, to: try integer())
      case .string: try unsafe string(into: memory)
      case .bool: unsafe memory.initializeMemory(as: Bool.self, to: try bool())
      case .double: unsafe memory.initializeMemory(as: Double.self, to: try double())
      case .strings:
        let strings = try strings()
        values &+= strings.count
        unsafe memory.initializeMemory(as: [String].self, to: strings)
      case .other: return false
      }
      return true
    } catch {
      return false
    }
  }
}
