/// The name of a suite, which is an app group's identifier.
package struct SuiteID: Hashable, Sendable, ExpressibleByStringLiteral {
  package let name: String
  package init(_ name: String) { self.name = name }
  package init(stringLiteral name: String) { self.name = name }
}

/// Which store this is: chosen at random when its file is made. One that was set aside and begun anew has another.
package struct StoreID: Hashable, Sendable {
  package let text: String
  package init(_ text: String) { self.text = text }
}
