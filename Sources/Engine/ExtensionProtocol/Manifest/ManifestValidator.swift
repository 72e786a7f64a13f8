import PropertyList

/// Checks a manifest key by key. What concerns several manifests at once (containing apps, duplicates) is the
/// registry's.
struct ManifestValidator {
  var reader: ManifestReader
  let points: ExtensionPointTable

  init(_ node: PropertyListNode, file: String?, points: ExtensionPointTable) {
    reader = ManifestReader(root: node, file: file)
    self.points = points
  }

  /// The manifest, or `nil` when too little of it is usable. The problems are in ``reader``.
  mutating func validate() -> Manifest? {
    let settings = BuildSettingPlaces(in: reader.root)
    let manifest = read()
    let unresolved = settings.problems(in: reader.root, file: reader.file) { Self.isPassive($0) ? .warning : .error }
    reader.put(unresolved, inPlaceOfThoseAt: settings.paths)
    return manifest
  }

  private mutating func read() -> Manifest? {
    guard case .dictionary = reader.root.content else {
      reader.fail(.root, "The property list is not a dictionary.", "Put the keys into one dictionary at the top.")
      return nil
    }
    let kind = kind()
    let identifier = identifier()
    let executable = executable(kind)
    let version = version()
    let point = kind == .app ? .containingApp : point()
    checkPassiveKeys()
    guard let identifier, let executable, let point else {
      // The remaining values are checked all the same, so that every problem is reported at once.
      var rest = Manifest(
        kind: kind, identifier: "", executable: "", version: version, point: point ?? .containingApp, raw: [:])
      complete(&rest)
      return nil
    }
    var manifest = Manifest(
      kind: kind, identifier: identifier, executable: executable, version: version, point: point,
      raw: reader.root.value.dictionaryValue ?? [:])
    complete(&manifest)
    return manifest
  }

  private mutating func complete(_ manifest: inout Manifest) {
    readNames(&manifest)
    manifest.urlSchemes = urlSchemes(manifest.kind)
    manifest.typeDeclarations = typeDeclarations()
    readEntitlements(&manifest)
    readAnnex(&manifest)
    if manifest.kind == .appExtension { readExtension(&manifest) }
    readPermissions(&manifest)
  }

  // MARK: Identity

  private mutating func kind() -> Manifest.Kind {
    let path = PropertyListKeyPath("CFBundlePackageType")
    let inferred: Manifest.Kind =
      reader.root["NSExtension"] == nil && reader.root["EXAppExtensionAttributes"] == nil ? .app : .appExtension
    let recovery = "Write XPC! for an extension, APPL for a containing app."
    guard let text = reader.required(path, recovery) else { return inferred }
    guard let kind = Manifest.Kind(rawValue: text) else {
      reader.fail(path, "“\(text)” is not a package type.", recovery)
      return inferred
    }
    if kind == .app, inferred == .appExtension {
      reader.fail(
        path, "The manifest has NSExtension or EXAppExtensionAttributes, but the package type of an app.", recovery)
    }
    return kind
  }

  private mutating func identifier() -> String? {
    let path = PropertyListKeyPath("CFBundleIdentifier")
    let recovery = "Use letters, digits and hyphens in components joined by dots: com.example.notes.clock."
    guard let text = reader.required(path, recovery) else { return nil }
    guard ManifestNames.isIdentifier(text) else {
      reader.fail(path, "“\(text)” is not a bundle identifier.", recovery)
      return nil
    }
    return text
  }

  /// The executable; empty for an app that names none, as an app need not have one.
  private mutating func executable(_ kind: Manifest.Kind) -> String? {
    let path = PropertyListKeyPath("CFBundleExecutable")
    if kind == .app, reader.root.node(at: path) == nil, reader.misspelling(of: path) == nil { return "" }
    let recovery = "Name the executable by a relative path without “..”."
    guard let text = reader.required(path, recovery) else { return nil }
    guard ManifestNames.isPathBelow(text) else {
      reader.fail(path, "“\(text)” does not stay inside its folder.", recovery)
      return nil
    }
    return text
  }

  private mutating func version() -> BundleVersion {
    let path = PropertyListKeyPath("CFBundleVersion")
    let recovery = "Write whole numbers joined by dots, for example 1.2."
    guard let text = reader.string(path) else {
      if reader.root.node(at: path) == nil { reader.warn(path, "The key is missing; the version is 0.", recovery) }
      return BundleVersion("0")
    }
    let version = BundleVersion(text)
    if !version.isNumeric { reader.warn(path, "“\(text)” is compared only as far as it has numbers.", recovery) }
    return version
  }

  private mutating func readNames(_ manifest: inout Manifest) {
    let display = reader.string(PropertyListKeyPath("CFBundleDisplayName"))
    let name = reader.string(PropertyListKeyPath("CFBundleName"))
    manifest.displayName = display ?? name
    manifest.shortVersion = reader.string(PropertyListKeyPath("CFBundleShortVersionString"))
  }

  // MARK: URL schemes

  private mutating func urlSchemes(_ kind: Manifest.Kind) -> [String] {
    let path = PropertyListKeyPath("CFBundleURLTypes")
    var schemes: [String] = []
    for index in reader.indices(path) {
      let list = path.appending(index).appending("CFBundleURLSchemes")
      for (position, scheme) in reader.strings(list).enumerated() {
        let lower = scheme.lowercased()
        if !ManifestNames.isURLScheme(scheme) || ["http", "https", "file"].contains(lower) {
          reader.fail(
            list.appending(position), "“\(scheme)” cannot be an app's URL scheme.",
            "Use letters, digits, “+”, “-” and “.”, a letter first; http, https and file belong to no app.")
        } else if !schemes.contains(lower) {
          schemes.append(lower)
        }
      }
    }
    guard kind == .appExtension, reader.root.node(at: path) != nil else { return schemes }
    reader.warn(path, "Only a containing app owns URL schemes; these are ignored.", "Move them to the app's manifest.")
    return []
  }
}
