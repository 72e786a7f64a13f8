/// The name of a suite, which is an app group's identifier.
package struct SuiteID: Hashable, Sendable, ExpressibleByStringLiteral {
  package let name: String
  package init(_ name: String) { self.name = name }
  package init(stringLiteral name: String) { self.name = name }
}
