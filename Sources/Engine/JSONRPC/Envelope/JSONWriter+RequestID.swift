import JSON

extension JSONWriter {
  /// Writes an id in front of the text, or null for none.
  mutating func prepend(_ id: RequestID?) {
    switch id {
    case .number(let number): prepend(number)
    case .string(let string):
      var text = JSONWriter(capacity: 80)
      text.string(string)
      unsafe text.withBytes { unsafe prepend(bytes: $0) }
    case nil: prepend("null")
    }
  }
}
