import ExtensionHosting
import ExtensionProtocol
import Files
import PropertyList

/// What a bundle is made of: the manifests of a folder, or a bundle that lies in it.
enum BundleSource {
  /// Manifests, with the products' names that the build settings need.
  case manifests([Part])
  /// A bundle that is whole but for its settings.
  case bundle(String)

  /// One manifest, and where it lies.
  struct Part {
    /// `Clock` of `Manifests/Clock.plist` and of `Clock/Info.plist`.
    let product: String
    let path: String
  }

  /// Finds what there is in a folder: `Manifests/*.plist`, else a bundle, else `*/Info.plist`, else `*.plist`.
  ///
  /// - Throws: `extensionInvalid` when there is nothing of that, or more than one bundle.
  init(_ folder: String) throws(ExtensionError) {
    let name = Folder.name(of: folder)
    if name.hasSuffix(".app") || name.hasSuffix(".appex") {
      self = .bundle(folder)
      return
    }
    let manifests = Self.lists(in: "\(folder)/Manifests")
    if !manifests.isEmpty {
      self = .manifests(manifests)
      return
    }
    let bundles = Folder.names(in: folder, endingIn: ".app").filter { Folder.isFolder("\(folder)/\($0)") }
    if bundles.count == 1 {
      self = .bundle("\(folder)/\(bundles[0])")
      return
    }
    guard bundles.isEmpty else {
      throw ExtensionError(
        .extensionInvalid, "There are several bundles in \(folder): \(bundles.joined(separator: ", ")).",
        recovery: "Name one of them.")
    }
    let nested = ([folder] + (Folder.isFolder("\(folder)/Sources") ? ["\(folder)/Sources"] : [])).flatMap { root in
      Folder.names(in: root).sorted().filter { FileStatus("\(root)/\($0)/Info.plist", followsLink: true) != nil }
        .map { Part(product: $0, path: "\(root)/\($0)/Info.plist") }
    }
    let found = nested.isEmpty ? Self.lists(in: folder) : nested
    guard !found.isEmpty else {
      throw ExtensionError(
        .extensionInvalid, "There is no manifest in \(folder), and no bundle.",
        recovery: "Put the property lists of the app and its extensions into \(folder)/Manifests.")
    }
    self = .manifests(found)
  }

  private static func lists(in folder: String) -> [Part] {
    Folder.names(in: folder, endingIn: ".plist").map {
      Part(product: String($0.dropLast(6)), path: "\(folder)/\($0)")
    }
  }
}
