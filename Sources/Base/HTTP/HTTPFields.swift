/// Header fields in the order of the message. Names are compared without regard to case (RFC 9110, 5.1).
package struct HTTPFields: Equatable, Sendable, Codable, ExpressibleByDictionaryLiteral {
  /// One line of a header.
  package struct Field: Equatable, Sendable, Codable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package private(set) var all: [Field] = []

  package init() {}

  package init(dictionaryLiteral elements: (String, String)...) {
    all = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first value of a field. Setting replaces every field of that name; nil removes them.
  package subscript(name: String) -> String? {
    get { all.first { Self.areEqual($0.name, name) }?.value }
    set {
      let place = all.firstIndex { Self.areEqual($0.name, name) }
      all.removeAll { Self.areEqual($0.name, name) }
      guard let newValue else { return }
      all.insert(Field(name: name, value: newValue), at: min(place ?? all.count, all.count))
    }
  }

  /// Every value of a field, in order.
  package func values(of name: String) -> [String] {
    all.filter { Self.areEqual($0.name, name) }.map(\.value)
  }

  /// Adds a field after those that are there.
  package mutating func append(_ name: String, _ value: String) {
    all.append(Field(name: name, value: value))
  }

  package mutating func removeAll() {
    all.removeAll()
  }

  /// Whether two field names are the same: ASCII letters fold, nothing else does.
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { fold($0) == fold($1) }
  }

  private static func fold(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
  }
}
