/// The names of the objects that are being read, innermost last, for finding duplicate names.
///
/// Names are compared by a seeded 64-bit hash and, when the hashes are equal, by their text. A peer cannot choose names
/// that make the comparison slow.
package struct NameStack {
  /// The name of one member.
  package struct Name {
    /// The seeded hash of the decoded name.
    package let hash: UInt64
    /// Where the name lies in the text.
    package let span: StringSpan
  }

  /// The names of all open objects, innermost last.
  package var names: [Name] = []

  init() {}

  static let seed = UInt64.random(in: .min ... .max)
}

extension JSONReader {
  /// The hash of a name's text.
  func hash(_ span: StringSpan) -> UInt64 {
    guard !span.isEscaped else {
      var text = unescaped(span)
      return text.withUTF8 { bytes in
        let reader = unsafe JSONReader(UnsafeRawBufferPointer(bytes))
        return reader.hash(StringSpan(start: 0, end: bytes.count, isEscaped: false))
      }
    }
    var index = span.start
    var hash = NameStack.seed ^ UInt64(truncatingIfNeeded: span.end &- span.start)
    while index &+ 8 <= span.end {
      hash = mix(hash ^ word(index))
      index &+= 8
    }
    if index < span.end {
      var tail: UInt64 = 0
      if index &+ 8 <= end {
        tail = word(index) & (~0 &>> UInt64(truncatingIfNeeded: 64 &- (span.end &- index) &* 8))
      } else {
        for position in index..<span.end { tail |= UInt64(byte(position)) &<< UInt64((position - index) * 8) }
      }
      hash = mix(hash ^ tail)
    }
    return hash
  }

  @inline(__always)
  private func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }

  /// Records a name of the innermost object.
  package mutating func note(_ span: StringSpan) { names.names.append(NameStack.Name(hash: hash(span), span: span)) }

  /// Ends the object whose names begin at `mark`.
  ///
  /// - Throws: `duplicateKey` for a name that occurs twice in the object.
  package mutating func settleNames(from mark: Int) throws(JSONError) {
    let count = names.names.count - mark
    if count > 1 {
      if count <= 12 {
        for later in (mark + 1)..<(mark + count) {
          for earlier in mark..<later where names.names[earlier].hash == names.names[later].hash {
            try refuseEqual(earlier, later)
          }
        }
      } else {
        try settleManyNames(from: mark)
      }
    }
    names.names.removeSubrange(mark...)
  }

  private mutating func settleManyNames(from mark: Int) throws(JSONError) {
    names.names[mark...].sort { $0.hash != $1.hash ? $0.hash < $1.hash : $0.span.start < $1.span.start }
    for later in (mark + 1)..<names.names.count {
      var earlier = later - 1
      while earlier >= mark, names.names[earlier].hash == names.names[later].hash {
        try refuseEqual(earlier, later)
        earlier -= 1
      }
    }
  }

  private func refuseEqual(_ earlier: Int, _ later: Int) throws(JSONError) {
    let (first, second) = (names.names[earlier].span, names.names[later].span)
    let text = text(of: second)
    guard self.text(of: first).hasEqualBytes(text) else { return }
    throw JSONError(.duplicateKey(text), at: max(first.start, second.start) - 1)
  }
}
