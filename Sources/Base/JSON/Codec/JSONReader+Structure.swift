import CLinux

/// The place in an object that is being read member by member, with the names seen so far.
///
/// Up to eight names are compared with each other as they come, by length first; a larger object, or one with an
/// escaped name, keeps them in the reader's `NameStack`.
package struct MemberCursor {
  let mark: Int
  var count = 0
  var isSpilled = false
  /// Start in the upper half, length in the lower half.
  var names = InlineArray<8, UInt64>(repeating: 0)

  init(mark: Int) { self.mark = mark }
}

/// The place in an array that is being read element by element.
package struct ElementCursor {
  var isFirst = true

  init() {}
}

extension JSONReader {
  /// Opens an object. Then call `nextName` until it gives `nil`, and read or skip one value after each name.
  package mutating func beginObject() throws(JSONError) -> MemberCursor {
    guard try peek() == 0x7B else { throw fault(expecting: 0x7B) }
    try enter()
    return MemberCursor(mark: names.names.count)
  }

  /// The next member's name; `nil` when the object is closed.
  package mutating func nextName(_ cursor: inout MemberCursor) throws(JSONError) -> StringSpan? {
    if let name = shortName(cursor) {
      try noteFew(name, &cursor)
      return name
    }
    let next = try peek()
    if next == 0x7D {
      if cursor.isSpilled { try settleNames(from: cursor.mark) }
      leave()
      return nil
    }
    if cursor.count > 0 || cursor.isSpilled {
      guard next == 0x2C else { throw JSONError(.unexpectedCharacter, at: at) }
      at &+= 1
    }
    guard try peek() == 0x22 else { throw JSONError(.unexpectedCharacter, at: at) }
    let span = try stringSpan()
    if cursor.isSpilled || cursor.count == 8 || span.isEscaped || span.start > 0x7FFF_FFFF {
      noteMany(span, &cursor)
    } else {
      try noteFew(span, &cursor)
    }
    try expect(0x3A)
    return span
  }

  /// Consumes the next name of text without white space, with its colon, when it has at most seven bytes of ASCII: most
  /// names are that, and one word holds them.
  @inline(__always)
  mutating func shortName(_ cursor: MemberCursor) -> StringSpan? {
    guard at &+ 16 <= end, at < 0x7FFF_0000, cursor.count < 8, !cursor.isSpilled else { return nil }
    let quote = cursor.count > 0 ? at &+ 1 : at
    guard byte(quote) == 0x22, quote == at || byte(at) == 0x2C else { return nil }
    let start = quote &+ 1
    let word = word(start)
    let mark = specialBytes(of: word)
    guard mark != 0 else { return nil }
    let bits = UInt64(truncatingIfNeeded: mark.trailingZeroBitCount & ~7)
    let close = start &+ Int(truncatingIfNeeded: bits &>> 3)
    let isPlain = word & 0x8080_8080_8080_8080 & ((1 &<< bits) &- 1) == 0
    guard isPlain, byte(close) == 0x22, byte(close &+ 1) == 0x3A else { return nil }
    at = close &+ 2
    return StringSpan(start: start, end: close, isEscaped: false)
  }

  @inline(__always)
  func noteFew(_ span: StringSpan, _ cursor: inout MemberCursor) throws(JSONError) {
    let length = UInt64(truncatingIfNeeded: span.end &- span.start)
    for index in 0..<cursor.count where cursor.names[index] & 0xFFFF_FFFF == length {
      let start = Int(truncatingIfNeeded: cursor.names[index] &>> 32)
      if unsafe memoryIsEqual(base + start, base + span.start, span.end &- span.start) {
        throw JSONError(.duplicateKey(text(of: span)), at: span.start &- 1)
      }
    }
    cursor.names[cursor.count] = UInt64(truncatingIfNeeded: span.start) &<< 32 | length
    cursor.count &+= 1
  }

  @inline(never)
  mutating func noteMany(_ span: StringSpan, _ cursor: inout MemberCursor) {
    if !cursor.isSpilled {
      cursor.isSpilled = true
      for index in 0..<cursor.count {
        let start = Int(cursor.names[index] >> 32)
        note(StringSpan(start: start, end: start + Int(cursor.names[index] & 0xFFFF_FFFF), isEscaped: false))
      }
    }
    note(span)
  }

  /// Opens an array. Then call `nextElement` until it is false, and read or skip one value after each true.
  package mutating func beginArray() throws(JSONError) -> ElementCursor {
    guard try peek() == 0x5B else { throw fault(expecting: 0x5B) }
    try enter()
    return ElementCursor()
  }

  /// Whether another element follows; false when the array is closed.
  @inline(__always)
  package mutating func nextElement(_ cursor: inout ElementCursor) throws(JSONError) -> Bool {
    // Without white space: a comma and a value, the first value, or the end.
    if at &+ 1 < end {
      let next = byte(at)
      if next == 0x2C, !cursor.isFirst, byte(at &+ 1) > 0x20, byte(at &+ 1) != 0x5D {
        at &+= 1
        return true
      }
      if next == 0x5D {
        leave()
        return false
      }
    }
    return try otherElement(&cursor)
  }

  @inline(never)
  private mutating func otherElement(_ cursor: inout ElementCursor) throws(JSONError) -> Bool {
    let next = try peek()
    if next == 0x5D {
      leave()
      return false
    }
    if cursor.isFirst {
      cursor.isFirst = false
      return true
    }
    guard next == 0x2C else { throw JSONError(.unexpectedCharacter, at: at) }
    at &+= 1
    if try peek() == 0x5D { throw JSONError(.unexpectedCharacter, at: at) }
    return true
  }

  /// Reads `true` or `false`.
  package mutating func bool() throws(JSONError) -> Bool {
    let next = try peek()
    if next == 0x74 {
      try literal("true")
      return true
    }
    guard next == 0x66 else { throw JSONError(.mismatch(expected: "a boolean"), at: at) }
    try literal("false")
    return false
  }

  /// Consumes `null` when it is next.
  package mutating func takeNull() throws(JSONError) -> Bool {
    guard try peek() == 0x6E else { return false }
    try literal("null")
    return true
  }

  /// Reads exactly this word.
  ///
  /// - Throws: `unexpectedEnd` or `unexpectedCharacter`.
  @inline(__always)
  package mutating func literal(_ word: StaticString) throws(JSONError) {
    let count = word.utf8CodeUnitCount
    guard at &+ count <= end else { throw JSONError(.unexpectedEnd, at: end) }
    guard unsafe memoryIsEqual(base + at, UnsafeRawPointer(word.utf8Start), count) else {
      throw JSONError(.unexpectedCharacter, at: at)
    }
    at &+= count
  }

  /// Consumes one value of any kind, checking it completely.
  package mutating func skip() throws(JSONError) {
    switch try peek() {
    case 0x7B:
      var cursor = try beginObject()
      while try nextName(&cursor) != nil { try skip() }
    case 0x5B:
      var cursor = try beginArray()
      while try nextElement(&cursor) { try skip() }
    case 0x22: _ = try stringSpan()
    case 0x74: try literal("true")
    case 0x66: try literal("false")
    case 0x6E: try literal("null")
    default: _ = try numberSpan()
    }
  }

  /// Consumes one value and returns its range. Inside of an array or object only brackets and quotes are followed; the
  /// reader of the contents checks the rest. The depth is checked here.
  package mutating func skipUnchecked() throws(JSONError) -> Range<Int> {
    let first = try peek()
    let start = at
    guard first == 0x7B || first == 0x5B else {
      try skip()
      return start..<at
    }
    var tooDeep = 0
    let extent = unsafe clinux_json_extent(base + start, end &- start, maximumDepth &- depth, &tooDeep)
    if extent == -2 { throw JSONError(.tooDeep(limit: maximumDepth), at: start &+ tooDeep) }
    guard extent > 0 else { throw JSONError(.unexpectedEnd, at: end) }
    at = start &+ extent
    return start..<at
  }
}
