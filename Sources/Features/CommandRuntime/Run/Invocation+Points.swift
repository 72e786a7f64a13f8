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

extension ExtensionRegistry {
  /// The extension that a user names for a command of one point.
  ///
  /// - Throws: what ``enabledExtension(_:)`` throws, and `pointDisallows`.
  package func enabledExtension(_ name: String, at point: ExtensionPoint) throws(ExtensionError) -> RegistryEntry {
    let entry = try enabledExtension(name)
    guard entry.point == point else {
      let wanted = points.definition(of: point)
      throw ExtensionError(
        .pointDisallows,
        "\(name) is not \(wanted.role) but for \(entry.point.map(points.shortName) ?? "no known point").",
        recovery: "Run \"host list --point \(wanted.shortName)\" to see \(wanted.plural).")
    }
    return entry
  }
}
