/// Why a configuration cannot be used.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence with the file and line, never with a password or a token.
  package let message: String
  /// What the reader can do about it.
  package let recovery: String
  /// The setting, when there is one.
  package let key: String?
  /// The line that is wrong; nil when the fault is not in a file.
  package let place: XCConfig.Place?

  /// - Parameter message: without the place, which is put before it.
  package init(_ message: String, recovery: String, key: String? = nil, place: XCConfig.Place? = nil) {
    self.message = place.map { "\($0): \(message)" } ?? message
    self.recovery = recovery
    self.key = key
    self.place = place
  }

  package var description: String { "\(message) \(recovery)" }
}
