import ExtensionHosting
package import ExtensionProtocol
import Files
import Glibc
import PropertyList
import Text

/// Makes `Some.app` of built products and manifests, or of scripts.
package struct BundleMaker: Sendable {
  let folder: String
  private let settings: BuildSettings
  private let products: String?

  /// - Parameters:
  ///   - folder: a Swift package with a folder `Manifests`, a folder of manifests and scripts, or a bundle.
  ///   - settings: values for the build settings in manifests, beside the usual ones.
  ///   - products: the folder of built programs; when absent, what `Annex.Products` says, else the package's own.
  /// - Throws: `extensionUnknown` when there is no such folder.
  package init(_ folder: String, settings: BuildSettings = BuildSettings(), products: String? = nil)
    throws(ExtensionError)
  {
    guard let path = File.resolved(folder), Folder.isFolder(path) else {
      throw ExtensionError(
        .extensionUnknown, "There is no folder “\(folder)”.", recovery: "Name the folder of a project or a bundle.")
    }
    self.folder = path
    self.settings = settings
    self.products = products
  }

  /// The name of the bundle: `Weather.app`.
  ///
  /// - Throws: `extensionInvalid` when there is no app, or more than one.
  package func name() throws(ExtensionError) -> String {
    switch try BundleSource(folder) {
    case .bundle(let path): Folder.name(of: path)
    case .manifests(let parts): "\(try split(parts).app.product).app"
    }
  }

  /// Whether a path leads to the bundle that would be copied, so that nothing can be written there.
  ///
  /// - Throws: `extensionInvalid` when the folder holds nothing that a bundle can be made of.
  package func isSource(_ target: String) throws(ExtensionError) -> Bool {
    guard case .bundle(let path) = try BundleSource(folder) else { return false }
    return File.resolved(path) == File.resolved(target)
  }

  /// Writes the bundle, whole or not at all. Folders that are missing above it are made.
  ///
  /// - Parameters:
  ///   - target: its path, which ends in `.app` (or `.appex` for a lone extension); nothing of this name is there.
  ///   - check: looks at the bundle before it has its name; what it throws leaves nothing behind.
  /// - Throws: `extensionInvalid` for manifests that cannot be used, `storeFailed` when something cannot be written.
  package func make(_ target: String, _ check: (_ path: String) throws -> Void = { _ in }) throws {
    do {
      try makeChecked(target, check)
    } catch let error as FileError {
      throw ExtensionError(error)
    }
  }

  private func makeChecked(_ target: String, _ check: (_ path: String) throws -> Void) throws {
    let source = try BundleSource(folder)
    if case .bundle(let path) = source, let own = File.resolved(path),
      let parent = File.resolved(Folder.parent(of: target)),
      "\(parent)/\(Folder.name(of: target))" == own || parent.isBelowOrEqual(own)
    {
      throw ExtensionError(
        .storeFailed, "\(target) is the bundle that is copied.", recovery: "Choose another place with -o.")
    }
    // The check wants a name with the right ending, so the draft is a folder around the bundle.
    let parent = Folder.parent(of: target)
    if !Folder.isFolder(parent) {
      try Folder.make(parent)
      // Extensions of a host that is root run as other users, and have to pass.
      chmod(parent, 0o755)
    }
    let draft = FolderDraft(path: try Folder.makeTemporary(beginning: "\(parent)/.annex-bundle-"))
    defer { try? Folder.remove(draft.path) }
    let name = Folder.name(of: target)
    switch source {
    case .bundle(let path): try copy(path, to: name, draft)
    case .manifests(let parts): try assemble(parts, as: name, draft)
    }
    try check("\(draft.path)/\(name)")
    try FolderSwap.move("\(draft.path)/\(name)", to: target)
  }

  func split(
    _ parts: [BundleSource.Part]
  ) throws(ExtensionError) -> (app: BundleManifest, extensions: [BundleManifest]) {
    var manifests: [BundleManifest] = []
    for part in parts { manifests.append(try BundleManifest(part)) }
    let apps = manifests.filter { $0.kind == .app }
    guard apps.count == 1, let app = apps.first else {
      throw ExtensionError(
        .extensionInvalid,
        apps.isEmpty
          ? "No manifest in \(folder) is that of an app."
          : "There are manifests of several apps: \(apps.map(\.path).joined(separator: ", ")).",
        recovery: "A bundle has one: CFBundlePackageType is APPL, and there is no NSExtension.")
    }
    return (app, manifests.filter { $0.kind == .appExtension })
  }

  // MARK: Of manifests

  private func assemble(_ parts: [BundleSource.Part], as name: String, _ draft: FolderDraft) throws {
    var (app, extensions) = try split(parts)
    try app.resolve(settings, containingApp: nil)
    try add(app, at: name, draft)
    let points = "\(Folder.parent(of: app.path))/Points"
    for file in Folder.names(in: points, endingIn: AnnouncedPoint.fileEnding) {
      var copy = TreeCopy(into: draft)
      try copy.copy("\(points)/\(file)", to: "\(name)/Points/\(file)")
    }
    for index in extensions.indices {
      try extensions[index].resolve(settings, containingApp: app.identifier)
      try add(extensions[index], at: "\(name)/PlugIns/\(extensions[index].product).appex", draft)
    }
  }

  private func add(_ manifest: BundleManifest, at place: String, _ draft: FolderDraft) throws {
    var copy = TreeCopy(into: draft)
    if manifest.kind == .app, manifest.executable.isEmpty || (try? executable(of: manifest)) == nil {
      // An app need not have a program.
      return try draft.write(manifest.document(executable: nil), to: "\(place)/Info.plist")
    }
    let executable = try executable(of: manifest)
    let parts = manifest.executable.pathParts()
    if manifest.isScript, parts.count > 1 {
      // The folder of the script is the program: what it imports lies beside it.
      let root = parts.dropFirst().reduce(executable) { path, _ in Folder.parent(of: path) }
      try copy.copy(root, to: place, leavingOut: ["Info.plist"])
      try draft.write(
        manifest.document(executable: parts.dropFirst().joined(separator: "/")), to: "\(place)/Info.plist")
      return
    }
    let name = Folder.name(of: executable)
    try copy.copy(executable, to: "\(place)/\(name)")
    // Resources of a Swift target lie beside its program, as Package_Target.resources.
    let beside = Folder.parent(of: executable)
    for resources in Folder.names(in: beside, endingIn: "_\(name).resources") {
      try copy.copy("\(beside)/\(resources)", to: "\(place)/\(resources)")
    }
    try draft.write(manifest.document(executable: name), to: "\(place)/Info.plist")
  }

  /// Where the executable of a manifest is now.
  func executable(of manifest: BundleManifest) throws(ExtensionError) -> String {
    let name = manifest.executable
    guard ManifestNames.isPathBelow(name) else {
      throw ExtensionError(
        .extensionInvalid, "CFBundleExecutable of \(manifest.path) is “\(name)”.",
        recovery: "Name a program or a script by a path without “..”.")
    }
    let beside = Folder.parent(of: manifest.path)
    var places = [products].compactMap(\.self)
    if let own = manifest.text("Annex", "Products") {
      let allowed = LoosePlaces(folder: beside, programs: places)
      if let refusal = allowed.refusal(of: own, isScript: manifest.isScript) {
        throw ExtensionError(
          .extensionInvalid, "\(manifest.path): \(refusal.message)",
          recovery: manifest.isScript ? refusal.recovery : "Name the folder of programs yourself, with --products.")
      }
      places.append(allowed.products(own))
    }
    places += ["\(folder)/.build/release", "\(folder)/.build/debug", folder, "\(folder)/Plugins", beside]
    for place in places {
      if let path = File.resolved("\(place)/\(name)"), FileStatus(path)?.kind == .regular { return "\(place)/\(name)" }
    }
    throw ExtensionError(
      .extensionInvalid,
      "The executable “\(name)” of \(manifest.path) is in none of \(places.joined(separator: ", ")).",
      recovery: manifest.isScript
        ? "Put the script beside the manifests' folder, or correct CFBundleExecutable."
        : "Build it first (swift build --package-path \(folder)), or name its folder with --products.")
  }

  // MARK: Of a bundle

  private func copy(_ path: String, to name: String, _ draft: FolderDraft) throws {
    var copy = TreeCopy(into: draft)
    try copy.copy(path, to: name, leavingOut: ["Info.plist"])
    let isApp = name.hasSuffix(".app")
    var own = try BundleManifest(.init(product: Self.product(path), path: "\(path)/Info.plist"))
    try own.resolve(settings, containingApp: nil)
    try draft.write(own.document(executable: nil), to: "\(name)/Info.plist")
    guard isApp else { return }
    for inner in Folder.names(in: "\(path)/PlugIns", endingIn: ".appex") {
      let place = "PlugIns/\(inner)"
      var manifest = try BundleManifest(
        .init(product: Self.product(inner), path: "\(path)/\(place)/Info.plist"))
      try manifest.resolve(settings, containingApp: own.identifier)
      File.remove("\(draft.path)/\(name)/\(place)/Info.plist")
      try draft.write(manifest.document(executable: nil), to: "\(name)/\(place)/Info.plist")
    }
  }

  private static func product(_ path: String) -> String {
    let name = Folder.name(of: path)
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }
}
