import ExtensionHosting
package import ExtensionProtocol
import Files
import Text

extension BundleMaker {
  /// Where the scripts of the bundle lie in the author's own tree: for each file or folder its path below the bundle, and the
  /// original.
  ///
  /// - Throws: as ``name()``.
  package func origins() throws(ExtensionError) -> [(copy: String, original: String)] {
    switch try BundleSource(folder) {
    case .bundle(let path):
      return [("", "\(path)/")]
    case .manifests(let parts):
      var origins: [(copy: String, original: String)] = []
      for manifest in try split(parts).extensions where manifest.isScript {
        guard let executable = try? executable(of: manifest) else { continue }
        let place = "PlugIns/\(manifest.product).appex"
        let steps = manifest.executable.pathParts().dropFirst()
        if steps.isEmpty {
          origins.append(("\(place)/\(Folder.name(of: executable))", executable))
        } else {
          origins.append((place, steps.reduce(executable) { path, _ in Folder.parent(of: path) }))
        }
      }
      return origins
    }
  }
}
