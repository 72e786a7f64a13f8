package import CommandLineTool
package import ExtensionHosting
package import ExtensionProtocol
import HostServices

extension AnnouncedPoints {
  /// The points that are announced where a registry looks.
  package init(_ sources: RegistrySources) { self.init(in: sources.pointFolders, beside: Features.known) }
}

extension Invocation {
  /// The folder in the state folder that announced points may be put into.
  package static let announcements = "points"

  /// The points that property lists announce: beside the manifests, in bundles, and in the state folder.
  package func announcedPoints() throws(ExtensionError) -> AnnouncedPoints { AnnouncedPoints(try registrySources()) }

  /// Every point that this command line can see: those of the features, and those that are announced.
  package func points() throws(ExtensionError) -> ExtensionPointTable { points(announced: try announcedPoints()) }

  /// Every point of the features, and those that were announced.
  package func points(announced: AnnouncedPoints) -> ExtensionPointTable { announced.table(with: Features.points) }
}

extension ExtensionPointTable {
  /// The extension point that a user names, by its identifier or its short name.
  package func required(_ name: String) throws(CommandLineError) -> ExtensionPoint {
    if let point = point(named: name) { return point }
    let names = definitions.map(\.shortName)
    throw CommandLineError(
      "“\(name.escapedForTerminal)” is not an extension point.",
      help: didYouMean(nearMisses(of: name, in: names)) ?? "The points are: \(names.joined(separator: ", ")).")
  }
}
