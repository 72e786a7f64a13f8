import JSON

extension Envelope {
  /// Returns the id of the request that a broken message was meant to answer: an id before the fault, or one that ends
  /// the message.
  ///
  /// - Parameter bytes: a message that ``parse(_:maximumDepth:)`` has refused.
  /// - Returns: `nil` for a message that looks like a request, and when no id can be found.
  static func idAnswered(byBroken bytes: UnsafeRawBufferPointer, maximumDepth: Int) -> RequestID? {
    var reader = unsafe JSONReader(bytes, maximumDepth: maximumDepth)
    var fields = EnvelopeFields()
    do throws(JSONError) {
      // White space may be in front.
      _ = try reader.peek()
      try fields.read(&reader)
    } catch {
      // Of two ids neither can be known.
      if error.reason == .duplicateKey("id") { return nil }
    }
    if fields.hasMethod { return nil }
    if let id = fields.knownID { return id }
    return unsafe lastID(bytes)
  }

  /// The number of `,"id":7}` at the end.
  private static func lastID(_ bytes: UnsafeRawBufferPointer) -> RequestID? {
    var rest = unsafe bytes[...]
    func skipSpaces() {
      while let last = unsafe rest.last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { unsafe rest.removeLast() }
    }
    func take(_ wanted: UInt8) -> Bool {
      skipSpaces()
      guard unsafe rest.last == wanted else { return false }
      unsafe rest.removeLast()
      return true
    }
    guard take(0x7D) else { return nil }
    skipSpaces()
    var digits: [UInt8] = []
    while let last = unsafe rest.last, (0x30...0x39).contains(last), digits.count < 18 {
      digits.append(last)
      unsafe rest.removeLast()
    }
    guard let number = Int64(String(decoding: digits.reversed(), as: UTF8.self)), take(0x3A), take(0x22), take(0x64),
      take(0x69), take(0x22), take(0x2C)
    else { return nil }
    return .number(number)
  }
}
