import JSON
import Text

/// Where the manifests of a registry lie, as texts that another process can use.
package enum ManifestPlaces {
  private struct Place: Codable {
    var bundle: String?
    var folder: String?
    var products: String?
    var scripts: String?
    var programs: [String]?
  }

  /// One text for each bundle and each folder of loose manifests.
  package static func texts(of registry: ExtensionRegistry) -> [String] {
    let sources = registry.sources
    let places =
      sources.bundles.map { Place(bundle: $0) }
      + sources.manifestFolders.map {
        Place(folder: $0.path, products: $0.products, scripts: $0.scripts, programs: $0.programs)
      }
    return places.compactMap { place in
      (try? JSONCoding.encode(place)).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Adds places to those where a registry looks.
  package static func add(_ texts: [String], to sources: inout RegistrySources) {
    for text in texts {
      guard let place = try? JSONCoding.decode(Place.self, from: Array(text.utf8)) else { continue }
      if let bundle = place.bundle, !sources.bundles.contains(where: { $0.hasBytes(of: bundle) }) {
        sources.bundles.append(bundle)
      }
      guard let path = place.folder, let products = place.products else { continue }
      let folder = RegistrySources.ManifestFolder(
        path: path, products: products, scripts: place.scripts, programs: place.programs ?? [])
      let isThere = sources.manifestFolders.contains { $0 == folder && $0.path.hasBytes(of: path) }
      if !isThere { sources.manifestFolders.append(folder) }
    }
  }
}
