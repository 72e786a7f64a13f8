import ExtensionProtocol
import Files
import PropertyList
import Text

/// Reads the manifests of all sources into entries, each by itself. What concerns several entries comes after.
struct RegistryScan {
  private(set) var entries: [RegistryEntry] = []
  /// The manifests by their paths, for the lines of what is found wrong later.
  private(set) var manifests: [ExactText: PropertyListNode] = [:]
  private let elections: [String: Election]
  private let added: [ExactText: RegistryRecord.Bundle]
  private let cache: ManifestCache?

  private let points: ExtensionPointTable

  init(_ sources: RegistrySources, _ points: ExtensionPointTable) {
    self.points = points
    elections = sources.elections
    added = sources.added
    cache = sources.cache
    for bundle in sources.bundles { read(bundle: bundle) }
    for folder in sources.manifestFolders { read(folder: folder) }
    cache?.settle(Set(manifests.keys.map(\.text)))
  }

  // MARK: Bundles

  private mutating func read(bundle: String) {
    let path = trimmed(bundle)
    if let known = added[ExactText(path)], !Folder.isFolder(path) { return entries.append(missing(known)) }
    var app = entry(bundle: path)
    if !app.isApp { checkNamedFiles(&app) }
    entries.append(app)
    guard app.isApp else { return }
    for name in Folder.names(in: "\(path)/PlugIns", endingIn: ".appex") {
      var inner = entry(bundle: "\(path)/PlugIns/\(name)")
      checkPrefix(&inner, of: app)
      checkNamedFiles(&inner)
      entries.append(inner)
    }
  }

  /// A bundle that was added and is there no longer.
  private func missing(_ bundle: RegistryRecord.Bundle) -> RegistryEntry {
    let isApp = bundle.path.hasSuffix(".app")
    return RegistryEntry(
      identifier: bundle.identifier, manifest: nil, isApp: isApp, point: isApp ? .containingApp : nil,
      displayName: "", state: .missingExecutable(reason: "The bundle \(bundle.path) is not there any more."),
      problems: [], manifestPath: "\(bundle.path)/Info.plist", bundlePath: bundle.path, executablePath: nil,
      containingApp: isApp ? bundle.identifier : nil, election: elections[bundle.identifier], activationRule: nil,
      modified: bundle.added)
  }

  /// What is known of the bundle, or of the app that it lies in, since it was added.
  private func installed(_ bundle: String?) -> RegistryRecord.Bundle? {
    guard let bundle else { return nil }
    var path = bundle
    while path != "/", path != "." {
      if let known = added[ExactText(path)] { return known }
      path = Folder.parent(of: path)
    }
    return nil
  }

  private func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  private mutating func entry(bundle: String) -> RegistryEntry {
    entry(manifestPath: "\(bundle)/Info.plist", bundle: bundle) { manifest in
      ExecutableFile(manifest.executable, in: [.init(bundle)], interpreter: manifest.interpreter)
    }
  }

  /// An extension inside an app's bundle belongs to that app and to no other.
  private func checkPrefix(_ entry: inout RegistryEntry, of app: RegistryEntry) {
    entry.containingApp = app.identifier
    guard entry.manifest != nil, !entry.identifier.hasPrefix(app.identifier + ".") else { return }
    entry.add(
      .error, manifests[ExactText(entry.manifestPath)], PropertyListKeyPath("CFBundleIdentifier"),
      "“\(entry.identifier)” does not begin with the identifier of its containing app, \(app.identifier).",
      "Call it \(app.identifier).NAME.")
  }

  /// Checks values that name a file without its ending: a file of the bundle, or, without a bundle, one beside the
  /// executable. Without an executable the place of the file is unknown and nothing is checked.
  private func checkNamedFiles(_ entry: inout RegistryEntry) {
    for key in points.fileKeys { checkFile(&entry, namedBy: key.name, ending: key.fileEnding ?? "") }
  }

  private func checkFile(_ entry: inout RegistryEntry, namedBy key: String, ending: String) {
    guard let name = entry.manifest?.attributes[key]?.stringValue else { return }
    let folder: String
    if let bundle = entry.bundlePath {
      folder = bundle
    } else if let executable = entry.executablePath, FileStatus(executable, followsLink: true) != nil {
      folder = Folder.parent(of: executable)
    } else {
      return
    }
    guard FileStatus("\(folder)/\(name)\(ending)", followsLink: true) == nil else { return }
    entry.add(
      .error, manifests[ExactText(entry.manifestPath)],
      PropertyListKeyPath("NSExtension", "NSExtensionAttributes", key),
      entry.bundlePath == nil
        ? "There is no file “\(name)\(ending)” in \(folder), beside the executable."
        : "The bundle has no file “\(name)\(ending)”.",
      "Add the file, or leave the key out.")
  }

  // MARK: Loose manifests

  private mutating func read(folder: RegistrySources.ManifestFolder) {
    let path = trimmed(folder.path)
    let places = LoosePlaces(folder: path, programs: [folder.products] + folder.programs)
    let scripts =
      folder.scripts == LoosePlaces.usualScripts(folder.path) ? LoosePlaces.usualScripts(path) : folder.scripts
    for name in Folder.names(in: path, endingIn: ".plist") {
      var loose = entry(manifestPath: "\(path)/\(name)", bundle: nil) {
        places.executable(of: $0, scripts: scripts)
      }
      checkNamedFiles(&loose)
      entries.append(loose)
    }
  }

  // MARK: Entries

  /// Why an executable cannot be run, at the line of the key that leads to it. A script whose interpreter stands under a
  /// misspelt key is not marked as executable, and the key is what is wrong.
  private func problem(
    _ fault: ExecutableFile.Fault, _ manifest: Manifest?, _ node: PropertyListNode?, _ path: String
  ) -> ManifestProblem {
    let interpreter = PropertyListKeyPath("Annex", "Interpreter")
    if let node, manifest?.interpreter == nil, node.node(at: interpreter) == nil,
      let written = ManifestReader(root: node, file: path).misspelling(of: interpreter)
    {
      return ManifestProblem(
        .error, file: path, line: node.line(nearest: written), keyPath: written.description,
        "The key is not known, so nothing runs the script. Did you mean Interpreter? \(fault.message)",
        recovery: "Rename the key to Interpreter.")
    }
    return ManifestProblem(
      .error, file: path, line: node?.line(nearest: fault.keyPath), keyPath: fault.keyPath.description, fault.message,
      recovery: fault.recovery)
  }

  private mutating func entry(
    manifestPath: String, bundle: String?, executable: (Manifest) -> ExecutableFile
  ) -> RegistryEntry {
    let isAppBundle = bundle?.hasSuffix(".app") ?? false
    let read =
      cache?.manifest(manifestPath, isAppBundle: isAppBundle, points: points)
      ?? ManifestFile(manifestPath, isAppBundle: isAppBundle, points: points)
    manifests[ExactText(manifestPath)] = read.node
    let validation = read.validation
    let manifest = validation.manifest
    let file = manifest.flatMap { $0.executable.isEmpty ? nil : executable($0) }
    let name = Folder.name(of: bundle ?? manifestPath)
    let identifier = validation.identifier ?? name
    let isApp = manifest.map { $0.kind == .app } ?? (validation.point == .containingApp || name.hasSuffix(".app"))
    var state = RegistryEntry.State.enabled
    if manifest == nil {
      state = .invalid
    } else if let fault = file?.fault, !fault.isOfManifest {
      state = .missingExecutable(reason: fault.message)
    }
    var entry = RegistryEntry(
      identifier: identifier, manifest: manifest, isApp: isApp, point: validation.point,
      displayName: manifest?.displayName ?? "", state: state, problems: validation.problems,
      manifestPath: manifestPath, bundlePath: bundle, executablePath: file?.path,
      containingApp: isApp ? identifier : nil, election: elections[identifier], activationRule: read.rule,
      modified: installed(bundle)?.added ?? FileStatus(manifestPath, followsLink: true)?.modified ?? 0)
    if let known = installed(bundle), let signature = known.signature {
      entry.signature = signature
      entry.verified = bundle.map { VerifiedFiles(signature, of: known.path, below: $0) }
    }
    entry.interpreterPath = file?.interpreter
    entry.programFolder = file?.program
    entry.executableFault = file?.fault
    entry.isUnreadable = read.node == nil
    if let fault = file?.fault, !fault.isOfManifest {
      entry.executableProblem = problem(fault, manifest, read.node, manifestPath)
    }
    if let fault = file?.fault, fault.isOfManifest {
      entry.add(.error, read.node, fault.keyPath, fault.message, fault.recovery)
    }
    if bundle != nil, manifest?.products != nil {
      entry.add(
        .warning, read.node, PropertyListKeyPath("Annex", "Products"),
        "A bundle has its executable in itself, so the key has no effect.", "Leave it out.")
    }
    return entry
  }
}
