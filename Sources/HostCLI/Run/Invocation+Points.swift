package import ExtensionHosting
package import ExtensionProtocol
import HostServices

extension AnnouncedPoints {
  /// The points that are announced where a registry looks.
  init(_ sources: RegistrySources) { self.init(in: sources.pointFolders, beside: Features.known) }
}

extension Invocation {
  /// The folder in the state folder that announced points may be put into.
  static let announcements = "points"

  /// The points that property lists announce: beside the manifests, in bundles, and in the state folder.
  package func announcedPoints() throws(ExtensionError) -> AnnouncedPoints { AnnouncedPoints(try registrySources()) }

  /// Every point that this command line can see: those of the features, and those that are announced.
  package func points() throws(ExtensionError) -> ExtensionPointTable { points(announced: try announcedPoints()) }

  func points(announced: AnnouncedPoints) -> ExtensionPointTable { announced.table(with: Features.points) }
}
