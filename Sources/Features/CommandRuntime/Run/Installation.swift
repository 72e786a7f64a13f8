import CommandLineTool
package import ExtensionHosting
package import ExtensionProtocol
import Files
import Glibc
import HostServices

/// Where this tool lies, and with it the products and the manifests that belong to it.
package enum Installation {
  /// The folder of this executable, in which what tries the sandbox and the products of a development build lie too.
  package static var products: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return "/usr/libexec/annex" }
    let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return Folder.parent(of: path)
  }

  /// The folder `Manifests` of the package that a development build belongs to, or `nil`.
  package static var developmentManifests: String? { developmentPackage.map { "\($0)/Manifests" } }

  /// The package that a development build belongs to, or `nil`.
  package static var developmentPackage: String? {
    var folder = products
    for _ in 0..<5 {
      if access("\(folder)/Package.swift", F_OK) == 0, access("\(folder)/Manifests", F_OK) == 0 { return folder }
      folder = Folder.parent(of: folder)
    }
    return nil
  }
}

extension Invocation {
  /// Every extension and app that this command line can see: the bundles that were added, and `--manifests` folders, else
  /// those of a development build.
  ///
  /// - Parameter manifests: places of more manifests (``ManifestPlaces``).
  package func registry(adding manifests: [String] = []) throws(ExtensionError) -> ExtensionRegistry {
    try survey(adding: manifests).registry
  }

  /// The registry, and what announced its points, from one look at the files.
  package func survey(
    adding manifests: [String] = []
  ) throws(ExtensionError) -> (registry: ExtensionRegistry, announced: AnnouncedPoints) {
    var sources = try registrySources()
    ManifestPlaces.add(manifests, to: &sources)
    let announced = AnnouncedPoints(sources)
    return (ExtensionRegistry(sources, points: points(announced: announced)), announced)
  }

  /// Returns the places that ``registry()`` searches.
  package func registrySources() throws(ExtensionError) -> RegistrySources {
    let folders = parsed.values("manifests").isEmpty ? [Installation.developmentManifests].compactMap(\.self) : []
    for folder in parsed.values("manifests") {
      guard let stream = opendir(folder) else {
        throw ExtensionError(
          .extensionUnknown, "Cannot read the manifest folder “\(folder)”: \(SystemError.last).",
          recovery: "Give --manifests a folder with property lists.")
      }
      closedir(stream)
    }
    let named = parsed.values("manifests")
    // A bundle may be named as well: its manifests lie in it.
    let bundles = named.filter(Self.isBundle).map { File.resolved($0) ?? $0 }
    let all = folders + named.filter { !Self.isBundle($0) }
    // A manifest cannot lead to programs elsewhere; its user can.
    let programs = (environment["ANNEX_PRODUCTS"] ?? "").split(separator: ":").map(String.init)
    var sources = RegistrySources(
      record: try record(),
      manifestFolders: all.map {
        RegistrySources.ManifestFolder(path: $0, products: Installation.products, programs: programs)
      })
    if let state = try? state() { sources.announcements = ["\(state.path)/\(Self.announcements)"] }
    for bundle in bundles where !sources.bundles.contains(bundle) { sources.bundles.append(bundle) }
    sources.cache = (try? state()).map { ManifestCache(state: $0) }
    return sources
  }

  private static func isBundle(_ path: String) -> Bool {
    let name = Folder.name(of: path)
    return name.hasSuffix(".app") || name.hasSuffix(".appex")
  }
}
