import Files
import Text

/// The package dependency on Annex for a new Swift package.
package struct AnnexDependency: Sendable, Hashable {
  /// The element of `dependencies`.
  package let declaration: String
  /// The name of the package in `.product(name:package:)`.
  package let package: String

  /// A folder with this package, or the address of a repository.
  ///
  /// - Returns: `nil` when the folder has no `Package.swift`.
  package init?(_ place: String) {
    if place.contains("://") || place.hasPrefix("git@") {
      let last = Folder.name(of: place)
      package = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
      declaration = ".package(url: \(Self.literal(place)), branch: \"main\")"
      return
    }
    guard let path = File.resolved(place), FileStatus("\(path)/Package.swift", followsLink: true) != nil else {
      return nil
    }
    package = "annex"
    declaration = ".package(name: \"annex\", path: \(Self.literal(path)))"
  }

  private static func literal(_ text: String) -> String {
    "\"\(text.escaping("\\", "\"", with: "\\"))\""
  }
}
