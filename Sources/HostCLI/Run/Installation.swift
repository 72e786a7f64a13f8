import CommandLineTool
package import ExtensionHosting
package import ExtensionProtocol
import Files
import Glibc
import HostServices

/// Where this tool lies, and with it the products and the manifests that belong to it.
enum Installation {
  /// The folder of this executable, in which `extension-launcher` and the products of a development build lie too.
  static var products: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return "/usr/libexec/annex" }
    let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// The folder `Manifests` of the package that a development build belongs to, or `nil`.
  static var developmentManifests: String? {
    var folder = products[...]
    for _ in 0..<5 {
      if access("\(folder)/Package.swift", F_OK) == 0, access("\(folder)/Manifests", F_OK) == 0 {
        return "\(folder)/Manifests"
      }
      guard let slash = folder.lastIndex(of: "/") else { return nil }
      folder = folder[..<slash]
    }
    return nil
  }
}

extension Invocation {
  /// Every extension and app that this command line can see: the bundles that were added, and `--manifests` folders, else
  /// those of a development build.
  package func registry() throws(ExtensionError) -> ExtensionRegistry { ExtensionRegistry(try registrySources()) }

  /// Where ``registry()`` looks.
  func registrySources() throws(ExtensionError) -> RegistrySources {
    let folders = parsed.values("manifests").isEmpty ? [Installation.developmentManifests].compactMap(\.self) : []
    for folder in parsed.values("manifests") {
      guard let stream = opendir(folder) else {
        throw ExtensionError(
          .extensionUnknown, "Cannot read the manifest folder “\(folder)”: \(SystemError.last).",
          recovery: "Give --manifests a folder with property lists.")
      }
      closedir(stream)
    }
    let all = folders + parsed.values("manifests")
    var sources = RegistrySources(
      record: try record(),
      manifestFolders: all.map { RegistrySources.ManifestFolder(path: $0, products: Installation.products) })
    sources.cache = (try? state()).map { ManifestCache(state: $0) }
    return sources
  }
}
