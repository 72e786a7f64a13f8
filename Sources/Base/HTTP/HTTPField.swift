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
