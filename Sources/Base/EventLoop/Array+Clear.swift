extension Array {
  /// Removes all elements and keeps the memory. Of one element, which is what a turn of the loop mostly has, nothing is
  /// cheaper to take away than the last; `removeAll(keepingCapacity:)` costs eight times as much.
  @inlinable @inline(__always)
  package mutating func clear() {
    if count == 1 { removeLast() } else { removeAll(keepingCapacity: true) }
  }
}
