/// The settings of an xcconfig file and of the files it includes.
///
/// A line is `KEY = value`, `#include "path"`, `#include? "path"` or empty. `//` starts a comment anywhere in a line,
/// so a value that holds `//` is cut there, as Xcode does it. The last definition of a key wins. `$(OTHER)` stands for
/// the value of another key, and `$()` for nothing, which is how `//` is written in a value: `/$()/`.
package struct XCConfig: Sendable, Equatable {
  /// A line of a file.
  package struct Place: Hashable, Sendable, CustomStringConvertible {
    /// The path of the file.
    package let file: String
    /// From 1.
    package let line: Int

    /// Creates a place; lines begin at 1.
    package init(file: String, line: Int) {
      self.file = file
      self.line = line
    }

    /// `file:line`.
    package var description: String { "\(file):\(line)" }
  }

  /// A definition that counts.
  package struct Setting: Equatable, Sendable {
    /// The name before the `=`.
    package let key: String
    /// With every `$(OTHER)` replaced.
    package let value: String
    /// Where the setting is defined.
    package let place: Place
  }

  /// A line that is allowed and probably not what its author meant.
  package struct Warning: Equatable, Sendable, CustomStringConvertible {
    /// One sentence with the file and line, without the value.
    package let message: String
    /// How to write it.
    package let recovery: String
    /// The line in question.
    package let place: Place

    /// - Parameter message: without the place, which is put before it.
    package init(_ message: String, recovery: String, place: Place) {
      self.message = "\(place): \(message)"
      self.recovery = recovery
      self.place = place
    }

    /// The message, followed by the recovery.
    package var description: String { "\(message) \(recovery)" }
  }

  /// In the order in which the keys first appear.
  package let settings: [Setting]
  /// The warnings of the file and of the files it includes.
  package let warnings: [Warning]

  /// Reads a file and those it includes.
  ///
  /// - Parameters:
  ///   - path: the name of the first file, as it stands in messages.
  ///   - read: the text of a file; nil when there is no such file. Included paths arrive joined to the directory of the
  ///     file that includes them.
  /// - Throws: `ConfigurationError` with file and line.
  package init(path: String, reading read: (_ path: String) throws -> String?) throws(ConfigurationError) {
    var parser = XCConfigParser()
    try parser.parse(path, includedAt: nil, reading: read)
    var expansion = XCConfigExpansion(parser.definitions)
    settings = try expansion.settings(order: parser.order)
    warnings = parser.warnings + expansion.warnings
  }

  /// The value of a key; empty when it is not set, as in the `Info.plist` that Xcode makes.
  package subscript(key: String) -> String { setting(key)?.value ?? "" }

  /// The definition of a key that counts.
  package func setting(_ key: String) -> Setting? { settings.first { $0.key == key } }
}
