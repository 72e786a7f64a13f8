/// Which background session: code of one app chose its identifier.
package struct SessionKey: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The bundle identifier of the containing app.
  package let app: String
  /// The identifier that the app, or one of its extensions, chose.
  package let identifier: String

  package init(app: String, identifier: String) {
    (self.app, self.identifier) = (app, identifier)
  }

  package var description: String { "\(app)/\(identifier)" }
}
