/// Header fields in the order of the message. Names are compared without regard to case (RFC 9110, 5.1).
package struct HTTPFields: Equatable, Sendable, Codable, ExpressibleByDictionaryLiteral {
  /// The fields, in the order of the message; a name may occur more than once.
  package private(set) var all: [HTTPField] = []

  /// Creates an empty list.
  package init() {}

  /// Creates fields in the order of the literal.
  package init(dictionaryLiteral elements: (String, String)...) {
    all = elements.map { HTTPField($0.0, $0.1) }
  }

  /// The first value of a field. Setting replaces every field of that name; nil removes them.
  package subscript(name: String) -> String? {
    get { all.first { $0.isNamed(name) }?.value }
    set {
      let place = all.firstIndex { $0.isNamed(name) }
      all.removeAll { $0.isNamed(name) }
      guard let newValue else { return }
      all.insert(HTTPField(name, newValue), at: min(place ?? all.count, all.count))
    }
  }

  /// Every value of a field, in order.
  package func values(of name: String) -> [String] {
    all.filter { $0.isNamed(name) }.map(\.value)
  }

  /// Adds a field after those that are there.
  package mutating func append(_ name: String, _ value: String) {
    all.append(HTTPField(name, value))
  }

  /// Removes all fields.
  package mutating func removeAll() {
    all.removeAll()
  }
}

/// One line of a header (RFC 9110, 5).
package struct HTTPField: Equatable, Sendable, Codable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether the field has this name. Names are compared without regard to the case of ASCII letters (RFC 9110, 5.1).
  package func isNamed(_ other: String) -> Bool { FieldSyntax.areEqual(name, other) }
}
