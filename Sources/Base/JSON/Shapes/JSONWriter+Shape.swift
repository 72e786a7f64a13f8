extension JSONWriter {
  /// Writes the value at a place.
  ///
  /// - Throws: `EncodingError` for a number that JSON does not have.
  @inline(__always)
  @unsafe mutating func write(_ operation: ShapeOperation, _ memory: UnsafeRawPointer) throws {
    if operation.kind == .other {
      try unsafe operation.write(memory, &self)
    } else {
      try unsafe writeLeaf(operation.kind, memory)
    }
  }

  /// Writes the members of a structure as an object.
  ///
  /// - Throws: `EncodingError` with the path of a number that JSON does not have.
  @unsafe mutating func write(_ plan: ShapePlan, _ root: UnsafeRawPointer) throws {
    let start = count
    for index in unsafe 0..<plan.members.count {
      let member = unsafe plan.members[index]
      let place = unsafe root + member.offset
      do {
        if member.kind != .other {
          unsafe bytes(UnsafeRawBufferPointer(start: member.text, count: member.textCount))
          try unsafe writeLeaf(member.kind, place)
        } else {
          try unsafe member.operation._withUnsafeGuaranteedRef { operation in
            if unsafe operation.isAbsent(place) { return }
            unsafe bytes(UnsafeRawBufferPointer(start: member.text, count: member.textCount))
            try unsafe operation.write(place, &self)
          }
        }
      } catch {
        throw prefixed(error, by: JSONKey(plan.rows[index].name))
      }
    }
    close(from: start, 0x7B)
  }

  /// Ends an array or object whose parts were each written behind a comma: the first comma becomes the bracket.
  @inline(__always)
  mutating func close(from start: Int, _ bracket: UInt8) {
    if count == start {
      byte(bracket)
    } else {
      unsafe buffer.storeBytes(of: bracket, toByteOffset: start, as: UInt8.self)
    }
    // The closing brackets are two characters behind the opening ones.
    byte(bracket &+ 2)
  }

  @inline(__always)
  @unsafe private mutating func writeLeaf(_ kind: ShapeOperation.Kind, _ memory: UnsafeRawPointer) throws {
    switch kind {
    case .int: unsafe integer(memory.load(as: Int.self))
    case .string: unsafe string(memory.assumingMemoryBound(to: String.self).pointee)
    case .bool: unsafe bool(memory.load(as: Bool.self))
    case .double:
      let value = unsafe memory.load(as: Double.self)
      double(value)
      if hasInvalidNumber { throw JSONCoding.nonFinite(value) }
    case .strings: unsafe strings(memory.assumingMemoryBound(to: [String].self).pointee)
    case .other: break
    }
  }
}
