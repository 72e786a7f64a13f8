/// Arrays of shapes, which are read from the text without a tape.
enum ShapeArrays {
  /// Bytes of a text from which on it pays to ask the runtime whether a type is such an array: it looks through all
  /// conformances of the program the first time.
  static let least = 16 << 10
  /// The same for the elements of an array that is on the tape.
  static let leastElements = 64

  /// - Returns: `nil` for another type, and when anything is not as expected.
  @inline(never)
  static func read<Value: Decodable>(_ type: Value.Type, _ reader: inout JSONReader) -> Value? {
    guard let array = type as? any ArrayOfShapes.Type else { return nil }
    return read(array, &reader)
  }

  private static func read<Elements: ArrayOfShapes, Value>(
    _ type: Elements.Type, _ reader: inout JSONReader
  ) -> Value? {
    Elements.read(&reader).map { reinterpret($0) }
  }
}

private protocol ArrayOfShapes {
  static func read(_ reader: inout JSONReader) -> Self?
}

extension Array: ArrayOfShapes where Element: JSONShaped {
  fileprivate static func read(_ reader: inout JSONReader) -> [Element]? {
    let operation = shapeOperation()
    return unsafe withUnsafeTemporaryAllocation(of: [Element].self, capacity: 1) { memory in
      let place = unsafe UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped)
      return unsafe operation.read(&reader, place) ? memory.moveElement(from: 0) : nil
    }
  }
}
