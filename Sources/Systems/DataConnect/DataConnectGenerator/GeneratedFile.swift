/// A file of a generated package.
package struct GeneratedFile: Sendable, Hashable {
  /// Relative to the folder of the package.
  package let path: String
  package let text: String
}
